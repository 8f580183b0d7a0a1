import { sha256Hex } from '../../kit/crypto.ts';
import type { Project } from '../../world/records/index.ts';
import type { SyncedItem } from './items.store.ts';
import { isEntityKey } from './keys.ts';
import { findTexts } from './local.store.ts';
import type { LocalItem } from './local-tree.ts';
import type { Change } from './replica.ts';
import type { SyncDb } from './sync.tables.ts';

export type PendingChange = Omit<Change, 'content'>;

export const isMoved = (base: SyncedItem, local: LocalItem): boolean =>
  base.sha256 !== null && base.path !== null && local.path !== base.path;

/** Larger assets are streamed by the replica. */
const LARGEST_INLINE = 256 * 1024;

/** Reads the content to send, entities first. A change whose file is different by now is left for the next round. */
export async function* changesOf(
  project: Project,
  waiting: readonly PendingChange[],
): AsyncGenerator<Change> {
  const rowIds = waiting.flatMap(({ local }) => local?.row?.row_id ?? []);
  const texts = await project.database.read((db: SyncDb) => findTexts(db, rowIds));
  const isFile = ({ base }: PendingChange): boolean => !isEntityKey(base.key);
  for (const change of waiting.filter((each) => !isFile(each))) {
    const content = change.local ? texts.get(change.local.row?.row_id ?? -1) : null;
    if (isAsSeen(content, change.local)) yield { ...change, content };
  }
  for (const change of waiting.filter(isFile)) {
    const { local } = change;
    const isRead = local !== undefined && !isLarge(local);
    const content = isRead ? await project.files.read(local.path).catch(() => undefined) : null;
    if (isAsSeen(content, local)) yield { ...change, content };
  }
}

const isLarge = ({ file }: LocalItem): boolean =>
  file !== null && file.size > LARGEST_INLINE && file.entry_type === 'asset';

const isAsSeen = (
  content: Change['content'] | undefined,
  local: LocalItem | undefined,
): content is Change['content'] =>
  content === null || (content !== undefined && sha256Hex(content) === local?.sha256);
