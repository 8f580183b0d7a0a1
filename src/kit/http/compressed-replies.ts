import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Contract } from '../contract.ts';
import { createQueue } from '../queue.ts';
import { acceptedEncoding, type Encoding } from './accepted-encoding.ts';

/** Bytes; a smaller reply fits into few packets anyway. */
const WORTH_IT = 4096;
/** Replies compressed at once: the threads that do it also read and write files. */
const AT_ONCE = 2;
/** Bytes of the replies that are being compressed or wait for it; a further one is sent as it is. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * The size of a compressed text tells whether it repeats something: a secret beside text that somebody else chose could be
 * guessed letter by letter. What these routes reply holds secrets, or addresses that work like them.
 */
const WITH_SECRETS =
  /^\/(?:internal|api\/(?:auth|api-keys|invites|webhooks|ws|desktop|settings|storage|drive|drive-storage|cloud-sync|uploads?|beta|billing|ai\/models))(?:\/|$)/;
/** Of an address that opens a file without a token. */
const SIGNED = /[?&]signed=/;
const OPEN_TO_CALLERS: ReadonlySet<Contract['auth']> = new Set(['none', 'bearer']);

const isCompressible = ({ auth, path, replyType }: Contract): boolean =>
  replyType === 'application/json' && OPEN_TO_CALLERS.has(auth) && !WITH_SECRETS.test(path);

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Sizes fall by less than a tenth beyond these levels, while the time doubles. */
const compressAs: Readonly<Record<Encoding, (text: Buffer) => Promise<Buffer>>> = {
  br: (text) =>
    brotli(text, {
      params: {
        [zlib.BROTLI_PARAM_QUALITY]: 4,
        [zlib.BROTLI_PARAM_LGWIN]: 18,
        [zlib.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    }),
  gzip: (text) => zip(text, { level: 4 }),
};

type SendHook = (request: FastifyRequest, reply: FastifyReply, payload: unknown) => Promise<unknown>;

/** Makes the hook of a route that compresses long JSON; null for routes whose replies are left alone. */
export function createReplyCompression(): (contract: Contract) => SendHook | null {
  const inTurn = createQueue({
    atOnce: AT_ONCE,
    mostWaiting: MOST_BYTES / WORTH_IT,
    whenFull: () => new Error('more replies wait than their bytes allow'),
  });
  let held = 0;

  async function compress(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    if (typeof payload !== 'string' || payload.length < WORTH_IT || !isJson(request, reply)) return payload;
    if (SIGNED.test(payload)) return payload;
    addVary(reply);
    const encoding = acceptedEncoding(request.headers);
    const bytes = Buffer.byteLength(payload);
    if (encoding === null || held + bytes > MOST_BYTES) return payload;
    held += bytes;
    try {
      const compressed = await inTurn(() => compressAs[encoding](Buffer.from(payload)));
      reply.header('content-encoding', encoding);
      weakenTag(reply);
      return compressed;
    } finally {
      held -= bytes;
    }
  }

  return (contract) => (isCompressible(contract) ? compress : null);
}

/** Cookies are secrets; HEAD has no body to shorten. */
const isJson = (request: FastifyRequest, reply: FastifyReply): boolean =>
  request.method !== 'HEAD' &&
  (reply.statusCode === 200 || reply.statusCode === 201) &&
  String(reply.getHeader('content-type')).startsWith('application/json') &&
  !reply.hasHeader('content-encoding') &&
  !reply.hasHeader('set-cookie');

function addVary(reply: FastifyReply): void {
  const present = [reply.getHeader('vary') ?? []].flat().join(', ');
  reply.header('vary', present === '' ? 'Accept-Encoding' : `${present}, Accept-Encoding`);
}

/** A strong tag names bytes, which the encodings differ in. */
function weakenTag(reply: FastifyReply): void {
  const tag = reply.getHeader('etag');
  if (typeof tag === 'string' && !tag.startsWith('W/')) reply.header('etag', `W/${tag}`);
}
