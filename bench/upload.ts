import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from './support/child.ts';
import { freshFolder } from './support/fresh-folder.ts';
import { limitResult, type Result } from './support/report.ts';
import { type Service, startService } from './support/service.ts';
import { firstSync } from './support/sync.ts';

const MB = 1024 * 1024;
const DEFAULT_MB = 200;
const SAMPLE_MS = 50;
const REST_MS = 3_000;

interface Upload {
  url: string;
  /** A megabyte that is sent repeatedly. */
  piece: Buffer;
  pieces: number;
}

const headers = ({ token }: Service) => ({
  authorization: `Bearer ${token}`,
  'tus-resumable': '1.0.0',
});

async function begin(service: Service, piece: Buffer, pieces: number): Promise<Upload> {
  const reply = await fetch(`${service.url}/api/uploads`, {
    method: 'POST',
    headers: {
      ...headers(service),
      'upload-length': String(piece.length * pieces),
      'upload-metadata': `filename ${Buffer.from('large.wav').toString('base64')}`,
    },
  });
  if (!reply.ok) throw new Error(await reply.text());
  return { url: new URL(reply.headers.get('location') ?? '', service.url).href, piece, pieces };
}

async function offsetOf(service: Service, { url }: Upload): Promise<number> {
  const reply = await fetch(url, { method: 'HEAD', headers: headers(service) });
  return Number(reply.headers.get('upload-offset'));
}

async function send(sent: ClientRequest, { piece, pieces }: Upload, from: number, upTo: number) {
  for (let at = from; at < Math.min(upTo, piece.length * pieces); ) {
    const part = piece.subarray(at % piece.length);
    at += part.length;
    if (!sent.write(part)) await once(sent, 'drain');
  }
}

/** Sends the missing part; with `cutAt` the connection breaks off there. */
async function patch(service: Service, upload: Upload, cutAt = Number.POSITIVE_INFINITY): Promise<void> {
  const offset = await offsetOf(service, upload);
  const sent = request(upload.url, {
    method: 'PATCH',
    headers: {
      ...headers(service),
      'content-type': 'application/offset+octet-stream',
      'upload-offset': offset,
      'content-length': upload.piece.length * upload.pieces - offset,
    },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  if (cutAt !== Number.POSITIVE_INFINITY) {
    answered.catch(() => {});
    await send(sent, upload, offset, cutAt);
    sent.destroy();
    return;
  }
  await send(sent, upload, offset, cutAt);
  sent.end();
  const [reply] = await answered;
  const text = (await reply.toArray()).join('');
  if (reply.statusCode !== 204) throw new Error(`the upload answered ${reply.statusCode}: ${text}`);
}

/** The highest memory while `work` runs. */
async function highestDuring({ child }: Service, work: () => Promise<void>): Promise<number> {
  let highest = 0;
  const sample = () => {
    highest = Math.max(highest, memoryOf(child.pid).now);
  };
  const timer = setInterval(sample, SAMPLE_MS);
  try {
    await work();
    sample();
    return highest;
  } finally {
    clearInterval(timer);
  }
}

async function requireWhole(service: Service, { piece, pieces }: Upload): Promise<void> {
  const hash = createHash('sha256');
  for (let index = 0; index < pieces; index += 1) hash.update(piece);
  const expected = hash.digest('hex');
  const { assets } = await service.call<{ assets: { checksum_sha256: string }[] }>('GET', '/api/assets');
  if (assets[0]?.checksum_sha256 !== expected) throw new Error('what was uploaded is not what was sent');
}

/** Memory above rest during a resumable upload of a large file: interrupted twice, continued, and made an asset. */
export async function run([size = String(DEFAULT_MB)]: readonly string[]): Promise<Result[]> {
  const pieces = Number(size);
  const service = await startService({ folder: freshFolder('content'), count: 0 });
  try {
    await firstSync(service);
    await sleep(REST_MS);
    const rest = memoryOf(service.child.pid).now;
    const upload = await begin(service, randomBytes(MB), pieces);
    const highest = await highestDuring(service, async () => {
      for (const share of [0.3, 0.7]) await patch(service, upload, share * pieces * MB);
      await patch(service, upload);
    });
    await requireWhole(service, upload);
    return [
      limitResult(`memory above rest, an upload of ${pieces} MB, cut twice`, 'MB', highest - rest, 150),
    ];
  } finally {
    await service.stop();
  }
}
