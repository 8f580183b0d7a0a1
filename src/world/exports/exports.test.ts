import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { fromBufferPromise } from 'yauzl';
import { snapshot } from '../../../test/support/cli.ts';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { unzipped } from '../../../test/support/zip.ts';
import { type ZipSource, zipBytes } from './zip-writer.ts';

const written = (sources: AsyncGenerator<ZipSource>): Promise<Buffer> =>
  buffer(Readable.from(zipBytes(sources), { objectMode: false }));

const isTaken = (path: string): boolean => !path.startsWith('_RecycleBin/') && !/(?:^|\/)\./.test(path);

forEachDatabase((_name, open) => {
  describe('the export of a project', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
    });
    after(() => core.close());

    const exported = async () => {
      const reply = await core.app.inject({
        url: '/api/export/archive',
        headers: { authorization: `Bearer ${core.adminToken}` },
      });
      assert.equal(reply.statusCode, 200, reply.body);
      assert.equal(reply.headers['content-type'], 'application/zip');
      assert.equal(reply.headers['content-disposition'], 'attachment; filename="default.zip"');
      return unzipped(reply.rawPayload);
    };
    const save = (path: string, content: string | Uint8Array) => {
      mkdirSync(join(core.contentDir, path, '..'), { recursive: true });
      writeFileSync(join(core.contentDir, path), content);
    };

    test('has every file as it lies there, and nothing else', async () => {
      const body = { entity_id: 'mira', name: 'Mira' };
      assert.equal((await core.call('POST', '/api/entity/character', { body })).status, 201);
      await core.call('POST', '/api/entity/character', { body: { entity_id: 'gone', name: 'Gone' } });
      assert.equal((await core.call('DELETE', '/api/entity/character/gone')).status, 200);
      save('Characters/mira/images/über & unter.png', Buffer.from([0x89, 0x50, 0, 255]));
      save('Maps/large.bin', Buffer.alloc(3_000_000, 'canonry '));
      save('.hidden/secret.md', 'no');
      save('empty.txt', '');
      symlinkSync('/etc/passwd', join(core.contentDir, 'linked.md'));
      const found = await exported();
      rmSync(join(core.contentDir, 'linked.md'));
      const there = Object.entries(snapshot(core.contentDir)).filter(([path]) => isTaken(path));
      assert.deepEqual(Object.keys(found).sort(), there.map(([path]) => path).sort());
      assert.ok(Object.keys(found).some((path) => path.startsWith('_Templates/')));
      assert.match(found['Characters/mira/CH_mira.md'] ?? '', /name: Mira/);
      assert.equal(found['Characters/mira/images/über & unter.png'], '\x89P\0\xff');
      assert.equal(found['Maps/large.bin']?.length, 3_000_000);
    });

    test('needs somebody who is signed in', async () => {
      assert.equal((await core.app.inject({ url: '/api/export/archive' })).statusCode, 401);
    });
  });
});

test('an archive of more files than a plain zip can hold is read as well', async () => {
  const count = 70_000;
  async function* many(): AsyncGenerator<ZipSource> {
    for (let index = 0; index < count; index += 1)
      yield { path: `${index}.md`, size: 0, modifiedMs: 0, stream: () => Readable.from([]) };
  }
  const zip = await fromBufferPromise(await written(many()), {
    lazyEntries: true,
  });
  assert.equal(zip.entryCount, count);
});

test('a file that is announced as larger than a plain zip can hold is read as well', async () => {
  async function* one(): AsyncGenerator<ZipSource> {
    yield { path: 'a.bin', size: 5e9, modifiedMs: 0, stream: () => Readable.from([Buffer.from('short')]) };
    yield {
      path: 'b.md',
      size: 1,
      modifiedMs: Date.UTC(2026, 2, 4, 5, 6, 8),
      stream: () => Readable.from([Buffer.from('b')]),
    };
  }
  const bytes = await written(one());
  assert.deepEqual(await unzipped(bytes), { 'a.bin': 'short', 'b.md': 'b' });
});

test('whoever stops reading, after whatever piece, leaves no file open', async () => {
  for (let pieces = 1; pieces <= 8; pieces += 1) {
    const opened: { stream?: Readable }[] = [];
    async function* files(): AsyncGenerator<ZipSource> {
      for (const path of ['a.md', 'b.md', 'c.md']) {
        const file: { stream?: Readable } = {};
        opened.push(file);
        const stream = () => {
          file.stream = Readable.from([Buffer.from(path)]);
          return file.stream;
        };
        yield { path, size: path.length, modifiedMs: 0, stream };
      }
    }
    const bytes = zipBytes(files());
    for (let count = 0; count < pieces; count += 1) await bytes.next();
    await bytes.return(undefined);
    assert.deepEqual(
      opened.map(({ stream }) => stream?.destroyed),
      opened.map(() => true),
      `${pieces}`,
    );
  }
});

test('a source that fails ends the archive', async () => {
  async function* broken(): AsyncGenerator<ZipSource> {
    const stream = () =>
      Readable.from(
        (async function* () {
          yield Buffer.from('a');
          throw new Error('the disk is gone');
        })(),
      );
    yield { path: 'a.md', size: 2, modifiedMs: 0, stream };
  }
  await assert.rejects(written(broken()), /the disk is gone/);
});
