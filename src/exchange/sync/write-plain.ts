import { isEntityId } from '../../content/entity/index.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import type { TemplateRegistry, TemplateSet } from '../../world/definitions/index.ts';
import { type Author, type TextWrite, type WriteMany, writeBatches } from '../../world/entities/index.ts';
import { isOwnPlace } from '../replication/index.ts';
import { agreedItem } from './item-state.ts';
import { putItems } from './items.store.ts';
import type { SyncKey } from './keys.ts';
import type { LocalItem } from './local-tree.ts';
import type { RemoteEntity } from './replica.ts';
import type { SyncDb } from './sync.tables.ts';
import type { SyncedProject } from './synced-project.ts';

export interface WritePlainOptions {
  templates: TemplateRegistry;
  writeMany: WriteMany;
  authorOf(project: SyncedProject, item: RemoteEntity): Author;
}

/** The local state at the time of the decision. */
type Local = ReadonlyMap<SyncKey, LocalItem>;

/**
 * Writes new entities, and those still in the state of `local`, in batches; calls `taken` for each. Resolves to the rest,
 * untouched: changed meanwhile, or in need of the slow path.
 */
export function createWritePlain({ templates, writeMany, authorOf }: WritePlainOptions) {
  return async (
    project: SyncedProject,
    items: readonly RemoteEntity[],
    local: Local,
    taken: (item: RemoteEntity) => void,
  ): Promise<RemoteEntity[]> => {
    const set = await templates.of(project.whole);
    const rest: RemoteEntity[] = [];
    for (const group of Map.groupBy(items, ({ updatedBy }) => updatedBy).values()) {
      const plain = new Map<TextWrite, RemoteEntity>();
      for (const item of group) {
        const write = plainWrite(set, item, local.get(item.key));
        if (write) plain.set(write, item);
        else rest.push(item);
      }
      const [first] = plain.values();
      if (first === undefined) continue;
      const itemOf = (write: TextWrite) => plain.get(write) ?? [];
      const left = await writeBatches(writeMany, project.whole, [...plain.keys()], {
        author: authorOf(project, first),
        origin: {
          source: 'sync',
          // The cursor is stored durably after all of it, so what a power cut loses comes again.
          durable: false,
          also: (db: SyncDb, stored) => putItems(db, project, stored.flatMap(itemOf).map(agreedItem)),
        },
        taken(write) {
          const item = plain.get(write);
          if (item) taken(item);
        },
      });
      rest.push(...left.flatMap(itemOf));
    }
    return rest;
  };
}

function plainWrite(
  { types }: TemplateSet,
  { type, id: entityId, path, sha256, content: text }: RemoteEntity,
  there: LocalItem | undefined,
): TextWrite | undefined {
  const template = types.get(type);
  const isPlain = isEntityId(entityId) && sha256Hex(text) === sha256;
  // An entity in a folder of another name may share it with a second one.
  if (template === undefined || !isPlain || !isOwnPlace(template, entityId, path)) return undefined;
  if (there === undefined) return { template, entityId, text, path, base: null };
  const { row } = there;
  return row?.path === path
    ? { template, entityId, text, base: { version: row.version, fileChecksum: row.file_checksum } }
    : undefined;
}
