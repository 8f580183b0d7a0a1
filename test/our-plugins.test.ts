import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildPlugin } from '../src/cli/plugin/build-plugin.ts';
import { zipOf } from '../src/cli/plugin/zip.ts';
import { packageRoot } from '../src/surfaces/package-root.ts';
import { startCore } from './support/core.ts';
import { uploadPlugin } from './support/plugins.ts';

const FOLDER = join(packageRoot(), 'plugins');
const LARGEST = 2 * 1024 * 1024;

const ids = readdirSync(FOLDER).filter((name) => existsSync(join(FOLDER, name, 'plugin.json')));

test('each plugin of ours is built without a warning, small, and accepted by a service', async (t) => {
  assert.ok(ids.length > 0, 'there are none');
  const core = await startCore({ content: 'templates' });
  t.after(core.close);
  for (const id of ids) {
    const { manifest, files, problems } = await buildPlugin(join(FOLDER, id));
    assert.deepEqual(problems, [], id);
    assert.ok(files);
    assert.equal(manifest?.id, id, 'its folder has its id');
    const archive = await zipOf(files);
    assert.ok(archive.length < LARGEST, `${id} has ${archive.length} bytes`);
    const { status, body, text } = await uploadPlugin<{ id: string; problems: unknown[] }>(core, archive);
    assert.equal(status, 201, text);
    assert.deepEqual([body.id, body.problems], [id, []]);
  }
});

test('each plugin of ours says what it does', () => {
  for (const id of ids) assert.ok(existsSync(join(FOLDER, id, 'README.md')), `${id} has no README.md`);
});
