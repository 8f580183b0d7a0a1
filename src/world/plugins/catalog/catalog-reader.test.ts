import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import {
  type CatalogFiles,
  type CatalogServer,
  entryFor,
  type Keeper,
  newKeeper,
  signedIndex,
  startCatalogServer,
} from '../../../../test/support/catalog.ts';
import { forEachDatabase, type OpenedDatabase } from '../../../../test/support/databases.ts';
import { createTestLog } from '../../../../test/support/test-log.ts';
import { createDownloads } from '../../../platform/outgoing/downloads.ts';
import type { PrivateEndpoints } from '../../../platform/outgoing/outgoing.ts';
import { createAddressSource } from './address-source.ts';
import { type CatalogDb, highestSequence, raiseSequence } from './catalog.store.ts';
import { catalogMigrations } from './catalog.tables.ts';
import { LARGEST_INDEX } from './catalog-index.ts';
import { type CatalogState, createCatalogReader } from './catalog-reader.ts';
import { createFileSource } from './file-source.ts';

const MINUTE = 60_000;
const item = (version: string) => entryFor(Buffer.from('an archive'), { version });

/** The versions in the last good index, and what is wrong with the newest. */
const seen = ({ good, problem }: CatalogState) => [
  good && [...good.index.entries.values()].map(({ version }) => version),
  problem?.code ?? null,
];

forEachDatabase((_name, open) => {
  describe('the catalog that is read', () => {
    let opened: OpenedDatabase;
    let server: CatalogServer;
    before(async () => {
      opened = await open();
      await opened.database.migrate(catalogMigrations);
      server = await startCatalogServer();
    });
    after(async () => {
      await server.close();
      await opened.close();
    });

    interface Setup {
      keeper?: Keeper;
      withinMs?: number;
      privateEndpoints?: PrivateEndpoints;
    }

    /** A process of its own, at a time of its own. */
    function readerOf(t: TestContext, setup: Setup = {}) {
      const { keeper = newKeeper(), withinMs, privateEndpoints = 'admitted' } = setup;
      let nowMs = Date.parse('2026-03-02T10:00:00Z');
      const clock = { now: () => nowMs };
      const { log, warnings } = createTestLog();
      const downloads = createDownloads({ privateEndpoints });
      t.after(() => downloads.close());
      const reading = { publicKey: keeper.publicKey, database: opened.database, clock, log };
      const source = createAddressSource({ url: server.url, downloads, ...(withinMs && { withinMs }) });
      return {
        read: createCatalogReader({ ...reading, source }),
        readFile: (path: string) =>
          createCatalogReader({ ...reading, source: createFileSource(path, downloads) }),
        warnings,
        keeper,
        publish: (version: string, sequence: number) =>
          server.put(signedIndex(keeper, [item(version)], { sequence })),
        pass: (ms: number) => {
          nowMs += ms;
        },
      };
    }

    test('it is read once for all who ask, and again after five minutes', async (t) => {
      const { read, publish, pass } = readerOf(t);
      publish('1.0.0', 1);
      server.asked.length = 0;
      const states = await Promise.all(Array.from({ length: 20 }, () => read()));
      for (const state of states) assert.deepEqual(seen(state), [['1.0.0'], null]);
      assert.deepEqual(server.asked, ['catalog.json', 'catalog.json.sig']);
      publish('1.1.0', 2);
      pass(5 * MINUTE - 1);
      assert.deepEqual(seen(await read()), [['1.0.0'], null]);
      pass(1);
      assert.deepEqual(seen(await read()), [['1.1.0'], null]);
      assert.equal(server.asked.length, 4);
    });

    test('one that did not change is not sent again', async (t) => {
      const { read, publish, pass } = readerOf(t);
      publish('1.0.0', 1);
      const first = await read();
      server.asked.length = 0;
      pass(5 * MINUTE);
      const second = await read();
      assert.deepEqual(server.asked, ['catalog.json']);
      assert.equal(second.good?.index, first.good?.index);
      assert.equal(second.good?.checkedAt, '2026-03-02T10:05:00.000Z');
    });

    test('while the source is away the last good one stays, and the source is asked again after 30 seconds', async (t) => {
      const { read, publish, pass, warnings } = readerOf(t);
      publish('1.0.0', 1);
      await read();
      publish('1.1.0', 2);
      server.state('away');
      pass(5 * MINUTE);
      const away = await read();
      assert.deepEqual(seen(away), [['1.0.0'], 'catalog_unavailable']);
      assert.equal(away.good?.checkedAt, '2026-03-02T10:00:00.000Z');
      pass(30_000);
      await read();
      assert.equal(warnings.length, 1, 'a problem that stays is logged once');
      server.state('up');
      pass(29_999);
      assert.deepEqual(seen(await read()), [['1.0.0'], 'catalog_unavailable']);
      pass(1);
      assert.deepEqual(seen(await read()), [['1.1.0'], null]);
    });

    test('without a good one there is the problem alone', async (t) => {
      const { read } = readerOf(t);
      server.answer('catalog.json', (_request, response) => void response.writeHead(500).end());
      const { good, problem } = await read();
      server.answer('catalog.json', null);
      assert.equal(good, null);
      assert.match(problem?.message ?? '', /status 500/);
    });

    test('bytes that were changed, and the signature of somebody else, are refused', async (t) => {
      const { read, publish, pass, keeper } = readerOf(t);
      publish('1.0.0', 1);
      await read();
      const next = signedIndex(keeper, [item('1.1.0')], { sequence: 2 });
      const text = String(next['catalog.json']);
      const forged: CatalogFiles[] = [
        { 'catalog.json': text.replace('1.1.0', '6.6.6') },
        { 'catalog.json': `${text}\n` },
        { 'catalog.json': text.slice(0, -20) },
        signedIndex(newKeeper(), [item('6.6.6')], { sequence: 3 }),
        { 'catalog.json.sig': '' },
        { 'catalog.json.sig': 'x'.repeat(88) },
        { 'catalog.json.sig': signedIndex(keeper, [])['catalog.json.sig'] ?? '' },
      ];
      for (const files of forged) {
        server.put({ ...next, ...files });
        pass(5 * MINUTE);
        assert.deepEqual(seen(await read()), [['1.0.0'], 'catalog_not_signed']);
      }
      server.put(next);
      pass(30_000);
      assert.deepEqual(seen(await read()), [['1.1.0'], null]);
    });

    test('a reply that breaks off, or that is too large, is refused', async (t) => {
      const { read, pass } = readerOf(t);
      server.answer('catalog.json', (_request, response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('{"format": 1,');
        response.socket?.end();
      });
      assert.deepEqual(seen(await read()), [null, 'catalog_unavailable']);
      server.answer('catalog.json', (_request, response) => void response.end(' '.repeat(LARGEST_INDEX + 1)));
      pass(30_000);
      assert.deepEqual(seen(await read()), [null, 'catalog_too_large']);
      server.answer('catalog.json', null);
    });

    test('an index with a fault is refused although its signature is right', async (t) => {
      const { read, keeper } = readerOf(t);
      server.put(signedIndex(keeper, [item('1.0.0'), item('1.0.0')]));
      const { good, problem } = await read();
      assert.equal(good, null);
      assert.deepEqual(
        [problem?.code, /items\.1\.id/.test(problem?.message ?? '')],
        ['catalog_invalid', true],
      );
    });

    test('an older index is refused, by a process that starts later too', async (t) => {
      const { read, publish, pass, keeper } = readerOf(t);
      publish('1.7.0', 7);
      await read();
      publish('1.6.0', 6);
      pass(5 * MINUTE);
      const { good, problem } = await read();
      assert.equal(good?.index.sequence, 7);
      assert.match(problem?.message ?? '', /sequence 6.*newer one with 7/);
      const later = readerOf(t, { keeper });
      assert.deepEqual(seen(await later.read()), [null, 'catalog_rolled_back']);
      publish('1.7.0', 7);
      later.pass(30_000);
      assert.deepEqual(seen(await later.read()), [['1.7.0'], null]);
      const other = readerOf(t);
      other.publish('1.0.0', 1);
      assert.deepEqual(
        seen(await other.read()),
        [['1.0.0'], null],
        'the numbers of another keeper do not count',
      );
    });

    test('of two processes that see different indexes, the newer one counts', async () => {
      const raise = (sequence: number) =>
        opened.database.system.write((db: CatalogDb) =>
          raiseSequence(db, { catalog_key: 'of both', sequence, seen_at: '2026-03-02T10:00:00.000Z' }),
        );
      await Promise.all([raise(5), raise(9), raise(7)]);
      await raise(8);
      const highest = opened.database.system.read((db: CatalogDb) => highestSequence(db, 'of both'));
      assert.equal(await highest, 9);
    });

    test('who is slow is left', async (t) => {
      const { read } = readerOf(t, { withinMs: 100 });
      server.answer('catalog.json', (_request, response) => void response.write('{'));
      const { problem } = await read();
      server.answer('catalog.json', null);
      assert.match(problem?.message ?? '', /no whole answer within 0.1 seconds/);
    });

    test('a redirect is not followed, and a private address is not asked', async (t) => {
      const { read } = readerOf(t);
      const other = await startCatalogServer();
      server.answer(
        'catalog.json',
        (_request, response) => void response.writeHead(302, { location: other.url }).end(),
      );
      const { problem } = await read();
      server.answer('catalog.json', null);
      assert.match(problem?.message ?? '', /name its new address/);
      assert.deepEqual(other.asked, []);
      await other.close();
      server.asked.length = 0;
      const careful = readerOf(t, { privateEndpoints: 'on_request' });
      careful.publish('1.0.0', 1);
      assert.match((await careful.read()).problem?.message ?? '', /ALLOW_PRIVATE_ENDPOINTS/);
      assert.deepEqual(server.asked, []);
    });

    test('files are looked at each time', async (t) => {
      const { readFile, keeper } = readerOf(t);
      const folder = mkdtempSync(join(tmpdir(), 'catalog-'));
      t.after(() => rmSync(folder, { recursive: true }));
      const put = (files: CatalogFiles) => {
        for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
      };
      const read = readFile(join(folder, 'catalog.json'));
      assert.deepEqual(seen(await read()), [null, 'catalog_unavailable']);
      put(signedIndex(keeper, [item('1.0.0')]));
      const first = await read();
      assert.deepEqual(seen(first), [['1.0.0'], null]);
      assert.equal((await read()).good?.index, first.good?.index);
      put(signedIndex(keeper, [item('1.10.0')], { sequence: 2 }));
      assert.deepEqual(seen(await read()), [['1.10.0'], null]);
      put({ 'catalog.json': Buffer.alloc(LARGEST_INDEX + 1) });
      assert.deepEqual(seen(await read()), [['1.10.0'], 'catalog_too_large']);
      rmSync(join(folder, 'catalog.json.sig'));
      put(signedIndex(keeper, []));
      rmSync(join(folder, 'catalog.json.sig'));
      assert.deepEqual(seen(await read()), [['1.10.0'], 'catalog_unavailable']);
    });
  });
});
