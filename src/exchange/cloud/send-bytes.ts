import { partsOf } from '../../kit/parts.ts';
import { nameOf } from '../../text/paths.ts';
import type { Project } from '../../world/records/index.ts';
import { type Outcome, ReplicaError, type ReplicaErrorCode } from '../sync/index.ts';
import { type Batch, type BatchFile, type Cloud, CloudError } from './cloud-port.ts';
import type { Pushed } from './pushed.ts';

type PushedFile = Pushed & { kind: 'file' };
/** The push to send now, or its outcome if it cannot be sent. */
type SentFiles = Map<Pushed, Pushed | Outcome>;

const isAhead = (pushed: Pushed): pushed is PushedFile =>
  pushed.kind === 'file' && pushed.sent.content === undefined && pushed.sent.deleted !== true;

const MOST_FILES = 200;

/** Problems of single files: the preceding pull proved that token and connection work. */
const REFUSALS: readonly ReplicaErrorCode[] = ['refused', 'payment_required'];

export interface SendBytesParts {
  project: Project;
  cloud: Cloud;
  onRequest(): void;
}

/** Uploads large files that the cloud does not have, ahead of the push. */
export async function sendBytes(parts: SendBytesParts, pushed: readonly Pushed[]): Promise<SentFiles> {
  const sent: SentFiles = new Map();
  for (const some of partsOf(pushed.filter(isAhead), MOST_FILES))
    for (const [each, next] of await sendSome(parts, some)) sent.set(each, next);
  return sent;
}

/** The batch expired during the upload; nothing is wrong with the files. */
const isBatchGone = (error: unknown): boolean =>
  error instanceof CloudError && error.reason === 'no_such_batch';

/** A refused group is halved and retried, so one bad file holds up no others. */
async function sendSome(parts: SendBytesParts, files: readonly PushedFile[]): Promise<SentFiles> {
  try {
    return await sendBatch(parts, files).catch((error: unknown) => {
      if (isBatchGone(error)) return sendBatch(parts, files);
      throw error;
    });
  } catch (error) {
    if (!(error instanceof ReplicaError) || !REFUSALS.includes(error.code)) throw error;
    const [first, ...more] = files;
    if (first === undefined) return new Map();
    if (more.length === 0) return new Map([[first, { kind: 'refused', reason: error.message }]]);
    const middle = Math.ceil(files.length / 2);
    const half = await sendSome(parts, files.slice(0, middle));
    return new Map([...half, ...(await sendSome(parts, files.slice(middle)))]);
  }
}

async function sendBatch(parts: SendBytesParts, pushed: readonly PushedFile[]): Promise<SentFiles> {
  const files = new Map<string, BatchFile>();
  for (const { change } of pushed) {
    if (change.local === undefined) continue;
    const { sha256, path, file } = change.local;
    files.set(sha256, { sha256, size: file?.size ?? 0, filename: nameOf(path) });
  }
  parts.onRequest();
  const batch = await parts.cloud.beginBatch([...files.values()]);
  const sent: SentFiles = new Map();
  const done = new Set<string>();
  for (const each of pushed) sent.set(each, await sendOne(parts, each, batch, done));
  return sent;
}

async function sendOne(
  { project, cloud, onRequest }: SendBytesParts,
  pushed: PushedFile,
  batch: Batch,
  done: Set<string>,
): Promise<Pushed | Outcome> {
  const { local } = pushed.change;
  const state = batch.files.find(({ sha256 }) => sha256 === local?.sha256);
  if (local === undefined || state === undefined) return { kind: 'unsent' };
  if (state.state === 'refused')
    return { kind: 'refused', reason: state.detail ?? 'the cloud does not take its bytes' };
  if (state.state === 'missing' && state.upload && !done.has(state.sha256)) {
    const open = await project.files.open(local.path).catch(() => null);
    // Gone or changed by now: the next round looks again.
    if (open === null || open.stat.size !== local.file?.size) {
      open?.close();
      return { kind: 'unsent' };
    }
    await cloud.sendBytes(state.upload, open.stat.size, open.stream());
    onRequest();
    done.add(state.sha256);
  }
  return { ...pushed, sent: { ...pushed.sent, batch_id: batch.id } };
}
