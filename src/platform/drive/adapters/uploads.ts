import type { IncomingMessage } from 'node:http';
import { randomToken } from '../../../kit/crypto.ts';
import { type DriveContent, DriveError, type DriveFile } from '../drive.ts';
import { readJson } from './answers.ts';
import type { DriveCall, Sent } from './drive-call.ts';
import type { DriveClient } from './drive-client.ts';
import { failed } from './failures.ts';
import { createPieces } from './pieces.ts';
import { readFile } from './read-file.ts';
import { jsonOf } from './values.ts';

export interface Upload {
  method: 'POST' | 'PATCH';
  /** Without the address's beginning `/upload`; with the query. */
  path: string;
  metadata: object;
  content: DriveContent & { mimeType: string };
  /** Also for small contents. */
  isInSession?: boolean;
}

const MOST_AT_ONCE = 5 * 1024 * 1024;
/** The drive takes multiples of 256 KiB. */
const PIECE = 8 * 1024 * 1024;
const MOST_SESSIONS = 3;
const MOST_WITHOUT_PROGRESS = 5;
/** The drive's answer to a piece that is not the last one. */
const CONTINUE = 308;
const GONE = [404, 410];
const NOTHING = Buffer.alloc(0);

type Pieces = ReturnType<typeof createPieces>;

/** Rejects with `DriveError`, and as the content itself does. */
export async function upload(client: DriveClient, wanted: Upload): Promise<DriveFile> {
  const { isInSession = false, content } = wanted;
  const { mimeType, size } = content;
  if (!/^[\x20-\x7e]+$/.test(mimeType))
    throw new DriveError('refused', `'${mimeType}' is no type of a content`);
  return isInSession || size > MOST_AT_ONCE ? uploadInPieces(client, wanted) : uploadAtOnce(client, wanted);
}

async function uploadAtOnce(client: DriveClient, wanted: Upload): Promise<DriveFile> {
  const { method, path, metadata, content } = wanted;
  const bytes = await withPieces(content, (pieces) => pieces.read(0, content.size));
  const boundary = randomToken();
  const sent: Sent = {
    headers: { 'content-type': `multipart/related; boundary=${boundary}` },
    body: Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(metadata)}\r\n` +
          `--${boundary}\r\nContent-Type: ${content.mimeType}\r\n\r\n`,
      ),
      bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  };
  return client.call({
    method,
    path: `/upload${path}&uploadType=multipart`,
    send: () => sent,
    read: async (answer) => readFile(await readJson(answer)),
  });
}

const uploadInPieces = (client: DriveClient, wanted: Upload): Promise<DriveFile> =>
  withPieces(wanted.content, async (pieces) => {
    const { size, session } = wanted.content;
    const begun = session?.path ? await goOn(client, { path: session.path, size }, pieces) : 'gone';
    if (begun !== 'gone') return begun;
    for (let sessions = 0; sessions < MOST_SESSIONS; sessions += 1) {
      const path = await openSession(client, wanted);
      await session?.opened(path);
      const file = await sendPieces(client, { path, size }, pieces, 0);
      if (file !== 'gone') return file;
    }
    throw failed('unavailable', 'never').error;
  });

async function withPieces<Result>(
  content: DriveContent,
  work: (pieces: Pieces) => Promise<Result>,
): Promise<Result> {
  const pieces = createPieces(content);
  try {
    return await work(pieces);
  } finally {
    pieces.close();
  }
}

/** The path of the session, which has no effect until its last piece. */
function openSession(client: DriveClient, { method, path, metadata, content }: Upload): Promise<string> {
  const { headers, body } = jsonOf(metadata);
  return client.call({
    method,
    path: `/upload${path}&uploadType=resumable`,
    send: () => ({
      headers: {
        ...headers,
        'x-upload-content-type': content.mimeType,
        'x-upload-content-length': String(content.size),
      },
      body,
    }),
    async read(answer) {
      answer.resume();
      const { location = '' } = answer.headers;
      const address = URL.parse(location);
      if (address === null) throw failed('unavailable', 'never').error;
      // Whatever the address's beginning is, the token goes only where the other requests go.
      return `${address.pathname}${address.search}`;
    },
  });
}

interface Session {
  path: string;
  /** Of the content. */
  size: number;
}

/** In a session of an earlier call. */
async function goOn(client: DriveClient, session: Session, pieces: Pieces): Promise<DriveFile | 'gone'> {
  // Any failure ends it: unless the fault is the session's, opening another one fails in the same way.
  const reached = await client.call(pieceOf(session, NOTHING, 0)).catch(() => 'gone' as const);
  return typeof reached === 'number' ? sendPieces(client, session, pieces, reached) : reached;
}

/** A session in which nothing arrives any more is as good as gone. */
async function sendPieces(
  client: DriveClient,
  session: Session,
  pieces: Pieces,
  from: number,
): Promise<DriveFile | 'gone'> {
  let offset = from;
  for (let still = 0; still < MOST_WITHOUT_PROGRESS; still += 1) {
    const bytes = await pieces.read(offset, Math.min(PIECE, session.size - offset));
    const reached = await client.call(pieceOf(session, bytes, offset));
    if (typeof reached !== 'number') return reached;
    if (reached > offset) still = 0;
    offset = reached;
  }
  return 'gone';
}

/**
 * The file after the last piece, else how many bytes have arrived. An empty piece asks that, and after a failed try it is asked first.
 */
function pieceOf(
  { path, size }: Session,
  bytes: Buffer,
  offset: number,
): DriveCall<DriveFile | number | 'gone'> {
  const question = `bytes */${size}`;
  const range = bytes.length === 0 ? question : `bytes ${offset}-${offset + bytes.length - 1}/${size}`;
  return {
    method: 'PUT',
    path,
    accepts: [CONTINUE, ...GONE],
    send: (tries) =>
      tries === 1
        ? { headers: { 'content-range': range }, body: bytes }
        : { headers: { 'content-range': question }, body: '' },
    async read(answer) {
      const { statusCode: status = 0 } = answer;
      if (status !== CONTINUE && !GONE.includes(status)) return readFile(await readJson(answer));
      answer.resume();
      return status === CONTINUE ? arrivedIn(answer, size) : 'gone';
    },
  };
}

/** A session that has all bytes but does not answer with the file is useless. */
function arrivedIn({ headers }: IncomingMessage, size: number): number | 'gone' {
  if (headers.range === undefined) return 0;
  const [, last] = /^bytes=0-(\d+)$/.exec(headers.range) ?? [];
  const arrived = Number(last) + 1;
  return arrived < size ? arrived : 'gone';
}
