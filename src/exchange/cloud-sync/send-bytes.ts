import { partsOf } from '../../kit/parts.ts';
import { type BatchFile, CloudError, type CloudErrorCode } from './cloud-port.ts';
import type { CloudSyncDb } from './cloud-sync.tables.ts';
import { putItems } from './items.store.ts';
import type { Change } from './push-parts.ts';
import type { SendParts } from './send-part.ts';

type FileChange = Change & { kind: 'file' };

const isAhead = (change: Change): change is FileChange =>
  change.kind === 'file' && change.sent.content === undefined && change.sent.deleted !== true;

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const MOST_FILES = 200;

/** What is wrong with some of the files; a pull came before, so it is neither the token nor the way. */
const REFUSALS: readonly CloudErrorCode[] = ['refused', 'payment_required'];

/** Sends the bytes of large files ahead, those that the cloud does not have. Resolves to the changes that can be pushed now. */
export async function sendBytes(parts: SendParts, changes: readonly Change[]): Promise<Change[]> {
  const ahead = changes.filter(isAhead);
  const sent = new Map<Change, Change>();
  for (const part of partsOf(ahead, MOST_FILES)) {
    for (const [change, next] of await sendSome(parts, part)) sent.set(change, next);
  }
  return changes.flatMap((change) => (isAhead(change) ? (sent.get(change) ?? []) : [change]));
}

/** The batch ran out while its bytes were under way, or the cloud's clock was set: nothing is wrong with the files. */
const isBatchGone = (error: unknown): boolean =>
  error instanceof CloudError && error.reason === 'no_such_batch';

/** Files that are refused together are sent in halves: one bad file keeps no others. */
async function sendSome(parts: SendParts, changes: readonly FileChange[]): Promise<Map<Change, Change>> {
  try {
    return await sendBatch(parts, changes).catch((error: unknown) => {
      if (isBatchGone(error)) return sendBatch(parts, changes);
      throw error;
    });
  } catch (error) {
    if (!(error instanceof CloudError) || !REFUSALS.includes(error.code)) throw error;
    const [change, ...more] = changes;
    if (change === undefined) return new Map();
    if (more.length === 0) {
      await leave(parts, change, error.message);
      return new Map();
    }
    const middle = Math.ceil(changes.length / 2);
    const first = await sendSome(parts, changes.slice(0, middle));
    return new Map([...first, ...(await sendSome(parts, changes.slice(middle)))]);
  }
}

/** What was refused as it is waits as what a push refuses. */
async function leave(
  { project, tally }: SendParts,
  { key, item }: FileChange,
  problem: string,
): Promise<void> {
  tally.leave(key, problem);
  await project.database.write((db: CloudSyncDb) =>
    putItems(db, project.database.dialect, project, [{ ...item, dirty: 2, problem }]),
  );
}

async function sendBatch(parts: SendParts, changes: readonly FileChange[]): Promise<Map<Change, Change>> {
  const { project, cloud, tally } = parts;
  const files = new Map<string, BatchFile>();
  for (const { local } of changes) {
    if (local === undefined) continue;
    const { sha256, path, file } = local;
    files.set(sha256, { sha256, size: file?.size ?? 0, filename: nameOf(path) });
  }
  tally.counts.requests += 1;
  const batch = await cloud.beginBatch([...files.values()]);
  const ready = new Map<Change, Change>();
  const done = new Set<string>();
  for (const change of changes) {
    const { local } = change;
    const state = batch.files.find(({ sha256 }) => sha256 === local?.sha256);
    if (local === undefined || state === undefined) continue;
    if (state.state === 'refused') {
      await leave(parts, change, state.detail ?? 'the cloud does not take its bytes');
      continue;
    }
    if (state.state === 'missing' && state.upload && !done.has(state.sha256)) {
      const open = await project.files.open(local.path).catch(() => null);
      // Gone or another file by now: the next round looks again.
      if (open === null || open.stat.size !== local.file?.size) {
        open?.close();
        continue;
      }
      await cloud.sendBytes(state.upload, open.stat.size, open.stream());
      tally.counts.requests += 1;
      done.add(state.sha256);
    }
    ready.set(change, { ...change, sent: { ...change.sent, batch_id: batch.id } });
  }
  return ready;
}
