import { DEFAULT_PROJECT } from '../../kit/contract.ts';
import { readContent } from '../../world/scan/index.ts';
import { entityJson, folderNameOf, type ImportItem } from '../../world/texts/index.ts';
import { openContentFolder, openFolder } from '../content-folder.ts';
import { type CliContext, yieldToSignals } from '../context.ts';
import { settings, typedPath } from '../project.ts';

export interface TestEntity {
  entityType: string;
  id: string;
  name: string;
  /** As the API would reply. */
  json: string;
}

/** The entities of a content folder, read without a database. */
export interface TestWorld {
  folder: string;
  /** By type and id, in the order of both. */
  entities: readonly TestEntity[];
  find(entityType: string, id: string): TestEntity | undefined;
}

export async function readWorld(context: CliContext, content: string | undefined): Promise<TestWorld> {
  const config = settings(context);
  const folder =
    content === undefined
      ? await openContentFolder(config, DEFAULT_PROJECT)
      : await openFolder({ ...config, contentDir: typedPath(context, content) }, DEFAULT_PROJECT);
  const found = new Map<string, TestEntity>();
  for (const items of readContent({ ...folder, under: null, markdownOnly: true })) {
    await yieldToSignals(context);
    for (const item of items) add(found, item);
  }
  const entities = [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, entity]) => entity);
  return { folder: folder.root, entities, find: (type, id) => found.get(keyOf(type, id)) };
}

const keyOf = (entityType: string, id: string): string => `${entityType}/${id}`;

/** Of two files with one id, the one in the folder of that name has it. */
function add(found: Map<string, TestEntity>, { record, state }: ImportItem): void {
  if (state === null) return;
  const { entity_type: entityType, entity_id: id, name, path } = state;
  const key = keyOf(entityType, id);
  if (found.has(key) && folderNameOf(path) !== id) return;
  const changedAt = new Date(record.mtimeMs).toISOString();
  const json = entityJson(state, {
    version: 1,
    created_at: state.created_at ?? changedAt,
    updated_at: changedAt,
    updated_by: null,
    source: 'file',
  });
  found.set(key, { entityType, id, name, json });
}
