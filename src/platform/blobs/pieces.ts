import { type BlobBody, BlobsError } from './blobs.ts';

const MB = 1024 * 1024;
/** S3 requires at least 5 MB for a part. */
const PIECE_BYTES = 8 * MB;
const MOST_PIECES = 10_000;
const AT_ONCE = 2;

export interface PieceUpload {
  /** Resolves to its etag, if the provider reports it. */
  whole(bytes: Uint8Array): Promise<string | null>;
  begin(): Promise<PiecesBegun>;
}

interface PiecesBegun {
  /** `index` counts from 0. */
  piece(index: number, bytes: Uint8Array): Promise<void>;
  /** In one step; resolves to its etag, if the provider reports it. */
  finish(count: number): Promise<string | null>;
  abandon(): Promise<void>;
}

/** The length may be unknown; only a few pieces are in memory at a time. */
export async function uploadInPieces(
  body: BlobBody,
  size: number | undefined,
  upload: PieceUpload,
): Promise<{ etag: string | null }> {
  const pieceBytes = Math.max(PIECE_BYTES, Math.ceil((size ?? 0) / MOST_PIECES));
  /** Buffers of sent pieces, for reuse: left to the garbage collector, they would pile up many times over. */
  const spare: Buffer[] = [];
  const room = Math.min(pieceBytes, size ?? pieceBytes);
  const pieces = piecesOf(counted(body, size), () => spare.pop() ?? Buffer.allocUnsafeSlow(room));
  const first = await pieces.next();
  if (first.done) return { etag: await upload.whole(new Uint8Array()) };
  const second = await pieces.next();
  if (second.done) return { etag: await upload.whole(first.value) };
  const begun = await upload.begin();
  try {
    const count = await sendAll(begun, pieces, { taken: [first.value, second.value], spare });
    return { etag: await begun.finish(count) };
  } catch (error) {
    await begun.abandon().catch(() => undefined);
    throw error;
  }
}

async function sendAll(
  begun: PiecesBegun,
  rest: AsyncGenerator<Buffer>,
  { taken, spare }: { taken: Buffer[]; spare: Buffer[] },
): Promise<number> {
  const next = async (): Promise<Buffer | undefined> => taken.shift() ?? (await rest.next()).value;
  let count = 0;
  let running: Promise<void>[] = [];
  let sent: Buffer[] = [];
  for (let bytes = await next(); bytes; bytes = await next()) {
    if (count === MOST_PIECES) throw new BlobsError('too_large', 'The object is too large to be stored');
    const sending = begun.piece(count, bytes);
    sending.catch(() => undefined);
    running.push(sending);
    sent.push(bytes);
    count += 1;
    if (running.length === AT_ONCE) {
      await Promise.all(running);
      spare.push(...sent);
      [running, sent] = [[], []];
    }
  }
  await Promise.all(running);
  return count;
}

/** Throws `incomplete` if there are more or fewer than stated. */
export async function* counted(body: BlobBody, size: number | undefined): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const bytes of body instanceof Uint8Array ? [body] : body) {
    count += bytes.byteLength;
    if (size !== undefined && count > size) throw incomplete();
    yield bytes;
  }
  if (size !== undefined && count !== size) throw incomplete();
}

/** Only the last piece is shorter than its buffer. */
async function* piecesOf(source: AsyncIterable<Uint8Array>, memory: () => Buffer): AsyncGenerator<Buffer> {
  let piece: Buffer | undefined;
  let held = 0;
  for await (let bytes of source) {
    while (bytes.byteLength > 0) {
      piece ??= memory();
      const taken = bytes.subarray(0, piece.byteLength - held);
      piece.set(taken, held);
      held += taken.byteLength;
      bytes = bytes.subarray(taken.byteLength);
      if (held < piece.byteLength) continue;
      yield piece;
      [piece, held] = [undefined, 0];
    }
  }
  if (piece) yield piece.subarray(0, held);
}

const incomplete = () =>
  new BlobsError('incomplete', 'The body does not have the length that was said; nothing was stored');
