import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { PluginReply } from '../src/world/plugins/plugins.contract.ts';
import { snapshot } from './support/cli.ts';
import { startCore, type TestCore } from './support/core.ts';
import { FORMATS, hostileNames } from './support/hostile-archives/names.ts';
import { hostileTars } from './support/hostile-archives/tars.ts';
import { hostileZips } from './support/hostile-archives/zips.ts';
import { listen } from './support/listen.ts';
import { manifestOf, pluginFiles, pluginZip, uploadPlugin } from './support/plugins.ts';
import { tarGzOf } from './support/tar.ts';
import { until } from './support/until.ts';
import { zipOf } from './support/zip.ts';

type Refusal = PluginReply & { detail: string; code: string };

const MB = 1024 * 1024;
/** The fault, the entry, and what to do. */
const HELPFUL = /^The archive (?:has an entry ".*" )?\w[^"]{5,}.*: [a-z]+ \w+/;

/** None where the folder is going at this moment. */
function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

describe('uploads of plugins', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
    assert.equal((await uploadPlugin(core, pluginZip({ id: 'there' }))).status, 201);
  });
  after(() => core.close());

  const uploads = (): string[] => {
    const folder = join(core.config.dataDir, 'uploads');
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  const content = () => snapshot(core.contentDir);
  const installed = async () =>
    (await core.call<{ plugins: PluginReply[] }>('GET', '/api/plugins')).body.plugins.map(({ id }) => id);

  const kinds = {
    'a zip': hostileZips,
    'a tar.gz': hostileTars,
    ...Object.fromEntries(FORMATS.map((format) => [`a ${format.format} with names`, hostileNames(format)])),
  };
  for (const [kind, table] of Object.entries(kinds))
    test(`${kind} that is hostile is refused and leaves nothing, whatever is wrong with it`, async () => {
      const before = content();
      for (const { what, archives } of table)
        for (const archive of archives) {
          const { status, body } = await uploadPlugin<Refusal>(core, archive);
          assert.deepEqual([status, body.code], [400, 'invalid_archive'], what);
          assert.match(body.detail, HELPFUL, what);
          assert.deepEqual(uploads(), [], what);
        }
      assert.deepEqual(content(), before);
      assert.deepEqual(await installed(), ['there']);
    });

  test('what is too large, packed or unpacked, or has too many entries is refused with 413', async () => {
    const before = content();
    const manifest = { name: 'plugin.json', content: JSON.stringify(manifestOf({ id: 'bomb' })) };
    const zeros = { name: 'zeros', content: Buffer.alloc(101 * MB) };
    const many = Array.from({ length: 10_000 }, (_, index) => ({ name: `${index}` }));
    const noise = { name: 'noise', content: randomBytes(51 * MB) };
    const tries = [
      [manifest, zeros],
      [manifest, ...many],
      [manifest, noise],
    ];
    for (const pack of [zipOf, tarGzOf])
      for (const members of tries) {
        const { status, body } = await uploadPlugin<Refusal>(core, pack(members));
        assert.equal(status, 413, body.detail);
        assert.match(body.detail, /more than 104857600 bytes|more than 10000 files|the 50 MB that/);
        assert.deepEqual(uploads(), []);
      }
    assert.deepEqual(content(), before);
  });

  test('sixty of a tenant at once: one is unpacked at a time, and each is whole or told to come again', async () => {
    const ids = Array.from({ length: 60 }, (_, index) => `at-once-${index}`);
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`texts/${index}.txt`, 'x'.repeat(5_000)]),
    );
    let isOver = false;
    let most = 0;
    const looking = (async () => {
      while (!isOver) {
        const open = uploads()
          .flatMap((name) => entriesOf(join(core.config.dataDir, 'uploads', name)))
          .filter((each) => each.startsWith('plugin-'));
        most = Math.max(most, open.length);
        await turn();
      }
    })();
    const replies = await Promise.all(ids.map((id) => uploadPlugin<Refusal>(core, pluginZip({ id }, files))));
    isOver = true;
    await looking;
    assert.equal(most, 1);
    const done = ids.filter((_, index) => replies[index]?.status === 201);
    for (const { status, headers, text } of replies)
      if (status !== 201) {
        assert.equal(status, 503, text);
        assert.ok(Number(headers['retry-after']) > 0);
      }
    assert.ok(done.length >= 25, String(done.length));
    assert.deepEqual((await installed()).filter((id) => id.startsWith('at-once-')).sort(), done.sort());
    const expected = Object.keys(pluginFiles({}, files)).sort();
    for (const id of ids) {
      const folder = join(core.contentDir, '_Plugins', id);
      assert.deepEqual(
        existsSync(folder) ? Object.keys(snapshot(folder)).sort() : [],
        done.includes(id) ? expected : [],
      );
    }
    assert.deepEqual(uploads(), []);
    assert.ok(!existsSync(join(core.contentDir, '.canonry/plugins')));
  });

  test('an upload that breaks off in the middle leaves nothing', async () => {
    const before = content();
    const { hostname, port } = new URL(await listen(core));
    const archive = Buffer.from(pluginZip({ id: 'broken-off' }, { 'noise.bin': randomBytes(2 * MB) }));
    const boundary = 'between';
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="plugin.zip"\r\ncontent-type: application/zip\r\n\r\n`;
    const tail = `\r\n--${boundary}--\r\n`;
    const request = [
      'POST /api/plugins/upload HTTP/1.1',
      `host: ${hostname}`,
      `authorization: Bearer ${core.adminToken}`,
      `content-type: multipart/form-data; boundary=${boundary}`,
      `content-length: ${head.length + archive.length + tail.length}`,
    ].join('\r\n');
    for (const part of [0, 1, MB, archive.length]) {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.write(`${request}\r\n\r\n${head}`);
      socket.write(archive.subarray(0, part));
      await until(() => uploads().length === 1);
      socket.destroy();
      await until(() => uploads().length === 0);
    }
    assert.deepEqual(content(), before);
    assert.equal((await uploadPlugin(core, archive)).status, 201);
  });
});
