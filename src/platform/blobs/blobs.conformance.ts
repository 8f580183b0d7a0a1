import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { type Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { type BlobStore, BlobsError, type BlobsErrorCode, type PresignedRequest } from './blobs.ts';

const MB = 1024 * 1024;
const AWKWARD_KEYS = [
  'plain.txt',
  'Characters/mira/images/Mira & Söhne (1)+50%.png',
  'a b/c d',
  '龍/🐉.png',
  "quotes'and!stars*~",
  'query?x=1&y=2#fragment',
  'dots..in/..names..x',
];

export const withCode = (code: BlobsErrorCode) => (error: unknown) => {
  assert.ok(error instanceof BlobsError, String(error));
  assert.equal(error.code, code, error.message);
  return true;
};

const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 700_001) yield bytes.subarray(at, at + 700_001);
}

const read = async (store: BlobStore, key: string): Promise<string> =>
  (await buffer((await store.get(key)).stream)).toString('utf8');

async function send({ method, url, headers }: PresignedRequest, agent: Agent | undefined, body?: Uint8Array) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sending = request(url, { method, headers, agent }, resolve).on('error', reject);
    if (body) sending.setHeader('content-length', body.byteLength);
    sending.end(body);
  });
  const status = response.statusCode ?? 0;
  return { isTaken: status >= 200 && status < 300, body: await buffer(response) };
}

async function allKeys(store: BlobStore, prefix: string, limit: number): Promise<string[]> {
  const keys: string[] = [];
  let from: string | null = null;
  do {
    const page = await store.list({ prefix, limit, from });
    assert.ok(page.blobs.length <= limit);
    keys.push(...page.blobs.map(({ key }) => key));
    from = page.next;
  } while (from !== null);
  return keys.sort();
}

/** Abilities that some servers lack; tests of a missing one are skipped. */
interface ServerAbilities {
  conditions: boolean;
  pages: boolean;
  /** Distinguishes a range of the first byte from the whole. */
  firstByte: boolean;
  /** Copies from keys with characters that are special in addresses. */
  awkwardCopies: boolean;
}

const ALL_ABILITIES: ServerAbilities = {
  conditions: true,
  pages: true,
  firstByte: true,
  awkwardCopies: true,
};

export interface ConformanceOptions {
  /** Resolves names for presigned requests. */
  agent?: Agent;
  /** All by default. */
  abilities?: Partial<ServerAbilities>;
}

export function blobsConformance(
  name: string,
  open: (t: TestContext) => Promise<BlobStore>,
  { agent, abilities = {} }: ConformanceOptions = {},
): void {
  const can = { ...ALL_ABILITIES, ...abilities };
  describe(`blobs: ${name}`, () => {
    it('keeps bytes under keys of any script, replaces and deletes them', async (t) => {
      const store = await open(t);
      for (const key of AWKWARD_KEYS) await store.put(key, Buffer.from(`bytes of ${key}`));
      for (const key of AWKWARD_KEYS) assert.equal(await read(store, key), `bytes of ${key}`);
      assert.deepEqual(await allKeys(store, '', 1000), [...AWKWARD_KEYS].sort());
      await store.put('plain.txt', Buffer.from('other'), { contentType: 'text/plain' });
      assert.equal(await read(store, 'plain.txt'), 'other');
      for (const key of AWKWARD_KEYS) await store.delete(key);
      assert.deepEqual(await allKeys(store, '', 1000), []);
      await store.delete('plain.txt');
      await store.delete('no/such/thing');
    });

    it('knows size and time', async (t) => {
      const store = await open(t);
      await store.put('a/b', Buffer.from('12345'));
      const stat = await store.stat('a/b');
      assert.deepEqual([stat?.key, stat?.size], ['a/b', 5]);
      assert.ok(Math.abs((stat?.modifiedAt ?? 0) - Date.now()) < 60_000);
      assert.equal(await store.stat('a/c'), null);
      assert.equal(await store.stat('x/y/z'), null);
      const [listed] = (await store.list({ prefix: 'a/', limit: 10 })).blobs;
      assert.deepEqual([listed?.key, listed?.size], ['a/b', 5]);
    });

    it('tells other bytes by another tag, the same in every answer', async (t) => {
      const store = await open(t);
      const told = async (key: string) => {
        const [stat, { blobs }] = [await store.stat(key), await store.list({ prefix: key, limit: 10 })];
        assert.equal(stat?.etag, blobs[0]?.etag);
        assert.ok(stat?.etag);
        const blob = await store.get(key);
        blob.stream.destroy();
        assert.equal(blob.etag, stat.etag);
        return stat.etag;
      };
      const { etag: first } = await store.put('a', Buffer.from('one'));
      assert.equal(await told('a'), first ?? (await told('a')));
      const before = await told('a');
      await store.put('a', Buffer.from('two'));
      assert.notEqual(await told('a'), before);
      const { etag: large } = await store.put('large', inPieces(randomBytes(9 * MB)));
      assert.equal(await told('large'), large ?? (await told('large')));
    });

    if (can.conditions) storesUnderConditions(open);

    it('gives an object only while it is the one that was seen', async (t) => {
      const store = await open(t);
      await store.put('a', Buffer.from('one'));
      const ifEtag = (await store.stat('a'))?.etag ?? '';
      assert.equal((await buffer((await store.get('a', { ifEtag })).stream)).toString(), 'one');
      await store.put('a', Buffer.from('two'));
      await assert.rejects(store.get('a', { ifEtag }), withCode('changed'));
      await assert.rejects(store.get('a', { ifEtag, range: { start: 1 } }), withCode('changed'));
    });

    it('gives ranges, with the size of the whole', async (t) => {
      const store = await open(t);
      await store.put('digits', Buffer.from('0123456789'));
      const range = async (start: number, end?: number) => {
        const range = { start, ...(end !== undefined && { end }) };
        const blob = await store.get('digits', { range });
        assert.equal(blob.size, 10);
        return (await buffer(blob.stream)).toString();
      };
      assert.equal(await range(0, 1), '01');
      assert.equal(await range(9, 9), '9');
      if (can.firstByte) assert.equal(await range(0, 0), '0');
      assert.equal(await range(3, 5), '345');
      assert.equal(await range(7), '789');
      assert.equal(await range(8, 500), '89');
      await assert.rejects(range(10), withCode('bad_range'));
    });

    it('keeps nothing as well as something', async (t) => {
      const store = await open(t);
      await store.put('empty', new Uint8Array());
      await store.put('empty stream', inPieces(new Uint8Array()));
      for (const key of ['empty', 'empty stream']) {
        assert.equal(await read(store, key), '');
        assert.equal((await store.stat(key))?.size, 0);
      }
    });

    it('takes streams of known and of unknown length, small and in many pieces', async (t) => {
      const store = await open(t);
      for (const [key, size] of [
        ['small', 3],
        ['one piece', 8 * MB],
        ['two pieces', 8 * MB + 5],
        ['six pieces, the memory of the first used again', 40 * MB + 5],
      ] as const) {
        const bytes = randomBytes(size);
        await store.put(key, inPieces(bytes), key === 'one piece' ? { size } : {});
        const blob = await store.get(key);
        assert.equal(blob.size, size);
        assert.equal(sha(await buffer(blob.stream)), sha(bytes), key);
      }
    });

    it('stores nothing of a body that ends early, goes on too long or fails', async (t) => {
      const store = await open(t);
      await store.put('kept', Buffer.from('old'));
      const bytes = randomBytes(9 * MB);
      await assert.rejects(
        store.put('kept', inPieces(bytes), { size: bytes.length + 1 }),
        withCode('incomplete'),
      );
      await assert.rejects(
        store.put('kept', inPieces(bytes), { size: bytes.length - 1 }),
        withCode('incomplete'),
      );
      async function* failing() {
        yield* inPieces(bytes);
        throw new BlobsError('unavailable', 'the source failed');
      }
      await assert.rejects(store.put('kept', failing()), withCode('unavailable'));
      await assert.rejects(store.put('new', failing()), withCode('unavailable'));
      assert.equal(await read(store, 'kept'), 'old');
      assert.deepEqual(await allKeys(store, '', 1000), ['kept']);
    });

    it('lists what begins with a prefix, page by page', async (t) => {
      const store = await open(t);
      const keys = ['b.txt', 'b/1', 'b/2', 'b/c/3', 'b/c.txt', 'bc/4', 'c/5'];
      for (const key of keys) await store.put(key, Buffer.from(key));
      for (const limit of can.pages ? [1, 2, 100] : [100]) {
        assert.deepEqual(await allKeys(store, '', limit), [...keys].sort());
        assert.deepEqual(await allKeys(store, 'b/', limit), ['b/1', 'b/2', 'b/c.txt', 'b/c/3']);
        assert.deepEqual(await allKeys(store, 'b/c', limit), ['b/c.txt', 'b/c/3']);
        assert.deepEqual(await allKeys(store, 'nothing', limit), []);
      }
    });

    it('copies', async (t) => {
      const store = await open(t);
      for (const from of ['from/Söhne 1', ...(can.awkwardCopies ? AWKWARD_KEYS : [])]) {
        await store.put(from, Buffer.from(from));
        await store.copy(from, 'to/other 龍');
        assert.equal(await read(store, 'to/other 龍'), from);
        assert.equal(await read(store, from), from);
      }
      await assert.rejects(store.copy('no such', 'x'), withCode('not_found'));
    });

    it('says what is not there, and refuses keys that are none', async (t) => {
      const store = await open(t);
      await assert.rejects(store.get('no/such'), withCode('not_found'));
      for (const key of [
        '',
        '/a',
        'a/',
        'a//b',
        '../a',
        'a/../../b',
        './a',
        'a\\b',
        'a\u0000b',
        'a\ud800',
        'x'.repeat(300),
        'x/'.repeat(600).concat('x'),
        '.sb-config-probe.tmp',
        '.canonry-1.tmp',
      ]) {
        for (const call of [
          store.get(key),
          store.put(key, Buffer.from('x')),
          store.delete(key),
          store.stat(key),
        ])
          await assert.rejects(call, withCode('bad_key'), key);
      }
    });

    it('gives others a way to send and fetch, where it can', async (t) => {
      const store = await open(t);
      if (store.presign === null) return;
      const key = 'signed/Söhne & co';
      const bytes = randomBytes(1000);
      const put = await store.presign.put(key, { expiresInSeconds: 60, contentType: 'image/png' });
      assert.equal((await send(put, agent, bytes)).isTaken, true);
      const get = await store.presign.get(key, { expiresInSeconds: 60 });
      assert.equal(sha((await send(get, agent)).body), sha(bytes));
      const forged = { ...get, url: get.url.replace(/S%C3%B6hne/, 'other') };
      assert.equal((await send(forged, agent)).isTaken, false);
    });

    it('is not hurt by a reader who leaves', async (t) => {
      const store = await open(t);
      await store.put('large', randomBytes(9 * MB));
      for (let count = 0; count < 4; count += 1) {
        const { stream } = await store.get('large');
        for await (const _ of stream) break;
        assert.ok(stream.destroyed);
      }
      assert.equal((await store.stat('large'))?.size, 9 * MB);
    });
  });
}

function storesUnderConditions(open: (t: TestContext) => Promise<BlobStore>): void {
  it('stores under a condition: nothing is there, or what was seen', async (t) => {
    const store = await open(t);
    const large = randomBytes(9 * MB);
    await store.put('a', Buffer.from('one'), { only: { ifAbsent: true } });
    for (const body of [Buffer.from('two'), inPieces(large)])
      await assert.rejects(store.put('a', body, { only: { ifAbsent: true } }), withCode('changed'));
    const seen = (await store.stat('a'))?.etag ?? '';
    await store.put('a', Buffer.from('three'), { only: { ifEtag: seen } });
    for (const key of ['a', 'none'])
      await assert.rejects(
        store.put(key, Buffer.from('four'), { only: { ifEtag: seen } }),
        (error) => error instanceof BlobsError && ['changed', 'not_found'].includes(error.code),
      );
    assert.equal(await read(store, 'a'), 'three');
    const racing = Array.from({ length: 10 }, (_, index) =>
      store.put('new', Buffer.from(String(index)), { only: { ifAbsent: true } }).then(
        () => [index],
        () => [],
      ),
    );
    const winners = (await Promise.all(racing)).flat();
    assert.equal(winners.length, 1);
    assert.equal(await read(store, 'new'), String(winners[0]));
  });
}
