import { isEntityId } from '../../content/entity/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import type { TemplateRegistry, TemplateSet } from '../../world/definitions/index.ts';
import { type Author, type TextWrite, type WriteMany, writeBatches } from '../../world/entities/index.ts';
import type { EntityRow, Project } from '../../world/records/index.ts';
import type { PushedEntity } from './push.contract.ts';
import { isOwnPlace } from './pushed-path.ts';

export type Taken = (pushed: PushedEntity, row: EntityRow) => void;

/**
 * Writes new entities and plain next versions in batches; calls `taken` for each. Resolves to the ones that need the slow
 * path.
 */
export function createPushMany({
  templates,
  writeMany,
}: {
  templates: TemplateRegistry;
  writeMany: WriteMany;
}) {
  return async (
    project: Project,
    groups: readonly PushedEntity[][],
    author: Author,
    taken: Taken,
  ): Promise<PushedEntity[][]> => {
    const set = await templates.of(project);
    const plain = new Map<TextWrite, PushedEntity[]>();
    const rest: PushedEntity[][] = [];
    for (const group of groups) {
      const write = plainWrite(set, group);
      if (write) plain.set(write, group);
      else rest.push(group);
    }
    const left = await writeBatches(writeMany, project, [...plain.keys()], {
      author,
      origin: { source: 'sync' },
      taken(write, row) {
        for (const pushed of plain.get(write) ?? []) taken(pushed, row);
      },
    });
    for (const write of left) rest.push(plain.get(write) ?? []);
    return rest;
  };
}

export type PushMany = ReturnType<typeof createPushMany>;

/** Undefined if the push says too little, or repeats an entity. */
function plainWrite(
  { types }: TemplateSet,
  [pushed, ...more]: readonly PushedEntity[],
): TextWrite | undefined {
  if (pushed === undefined || more.length > 0 || pushed.deleted) return undefined;
  const { entity_type, entity_id: entityId, version, content: text, checksum, path } = pushed;
  const template = types.get(entity_type);
  const isWhole = text !== undefined && (checksum === undefined || checksum === checksumOf(text));
  if (template === undefined || !isEntityId(entityId) || !isWhole) return undefined;
  // An entity in a folder of another name may share it with a second one.
  if (path !== undefined && !isOwnPlace(template, entityId, path)) return undefined;
  const base = version === 1 ? null : { version: version - 1, fileChecksum: pushed.base_checksum };
  return { template, entityId, text, path, base };
}
