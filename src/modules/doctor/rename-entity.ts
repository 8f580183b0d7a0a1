import { isEntityId } from '../../content/entity/index.ts';
import { editDocument } from '../../content/frontmatter/index.ts';
import { entityFilePath, entityFolder } from '../../content/paths/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { entityLock } from '../entities/entities.service.ts';
import { commitEntity } from '../entities/entity-commit.ts';
import { readEntity } from '../entities/entity-files.ts';
import { folderOf } from '../entities/recycle-item.ts';
import { findEntityRow } from '../records/entity-rows.store.ts';
import { buryFiles, findFilesBelow } from '../records/files.store.ts';
import type { EntityRow, RecordsDb } from '../records/records.tables.ts';
import { type EntityState, folderNameOf } from '../records/render.ts';
import type { Project } from '../records/scope.ts';
import { takeSequence } from '../records/sequence.store.ts';
import type { TemplateSet } from '../templates/template-set.ts';

export interface RenameTools {
  project: Project;
  set: TemplateSet;
  clock: Clock;
}

const LONGEST = 100;

/** The nearest proper id: `Jörg O'Brien` → `jorg_o_brien`. */
export function properId(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, LONGEST);
  return plain === '' ? 'unnamed' : plain;
}

/** Gives an entity an id that the API takes: its folder, its file and its `id` follow, its history stays its own. */
export async function renameEntity({ project, set, clock }: RenameTools, state: EntityState): Promise<void> {
  const template = set.types.get(state.entity_type);
  const row = await project.database.read((db: RecordsDb) =>
    findEntityRow(db, project, state.entity_type, state.entity_id),
  );
  if (template === undefined || row?.path !== state.path) return;
  const id = await freeId(project, template, properId(state.entity_id));
  await project.database.exclusive(entityLock(project, row.entity_type, row.entity_id), async () => {
    const path = await moveFiles(project, template, row, id);
    await commitRename(project, template, { row, path, at: isoTime(clock.now()) });
  });
}

async function freeId(project: Project, template: TemplateDefinition, wanted: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `_${number}`;
    const id = `${wanted.slice(0, LONGEST - suffix.length)}${suffix}`;
    if (isEntityId(id) && (await isFree(project, template, id))) return id;
  }
}

async function isFree(project: Project, template: TemplateDefinition, id: string): Promise<boolean> {
  const entries = await project.files.list(entityFolder(template, id)).catch(() => null);
  const row = await project.database.read((db: RecordsDb) =>
    findEntityRow(db, project, template.entity_type, id),
  );
  return entries === null && row === undefined;
}

/** Each step leaves a folder that a sync reads well, so a crash between them loses nothing. */
async function moveFiles(
  project: Project,
  template: TemplateDefinition,
  row: EntityRow,
  id: string,
): Promise<string> {
  const { files } = project;
  const oldFolder = folderOf(row.path);
  const newFolder = entityFolder(template, id);
  await files.move(oldFolder, newFolder);
  let path = `${newFolder}/${row.path.slice(oldFolder.length + 1)}`;
  if (row.path === entityFilePath(template, folderNameOf(row.path))) {
    await files.move(path, entityFilePath(template, id));
    path = entityFilePath(template, id);
  }
  const read = await readEntity(project, template, path);
  if (read?.file.ok && read.file.document.data.id) {
    const { head, body } = read.file.document;
    await files.write(path, editDocument(head + body, { set: { id } }));
  }
  return path;
}

async function commitRename(
  project: Project,
  template: TemplateDefinition,
  { row, path, at }: { row: EntityRow; path: string; at: string },
): Promise<void> {
  const read = await readEntity(project, template, path);
  if (!read?.file.ok) return;
  const write = {
    state: read.file.state,
    previous: row,
    changed: ['entity_id'],
    stamp: {
      version: row.version + 1,
      created_at: row.created_at,
      updated_at: at,
      updated_by: null,
      source: 'file',
    },
  } as const;
  await commitEntity(project, { write, stat: read.stat, entitiesLimit: -1, now: () => at }, async (db) => {
    const gone = await findFilesBelow(db, project, folderOf(row.path));
    const firstSeq = await takeSequence(db, project, gone.length);
    await buryFiles(db, project.database.dialect, gone, { firstSeq, at });
  });
}
