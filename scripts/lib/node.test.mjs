import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import test from 'node:test';
import { withFirstOnPath } from './node.mjs';
import { isSupported, tooOld } from './node-version.mjs';
import { inRoot } from './paths.mjs';
import { run } from './processes.mjs';

test('Node 22.18 and 24 and newer run the sources, others do not', () => {
  for (const version of ['22.18.0', '22.23.3', '24.0.0', '26.10.0']) assert.ok(isSupported(version), version);
  for (const version of ['18.20.8', '20.20.2', '22.17.1', '23.11.0'])
    assert.ok(!isSupported(version), version);
});

test('the folder of the chosen Node stands first on PATH, once', () => {
  const { PATH } = withFirstOnPath('/tools/bin/node', { PATH: ['/usr/bin', '/tools/bin'].join(delimiter) });
  assert.equal(PATH, ['/tools/bin', '/usr/bin'].join(delimiter));
});

const OLD = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";

test('the built program says in one line that Node is too old', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'canonry-launcher-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  copyFileSync(inRoot('scripts/launcher.mjs'), join(folder, 'canonry.js'));
  for (const name of ['lean', 'node-version'])
    copyFileSync(inRoot(`scripts/lib/${name}.mjs`), join(folder, `${name}.js`));
  const { code, output } = await run(
    process.execPath,
    ['--import', `data:text/javascript,${OLD}`, join(folder, 'canonry.js'), 'serve'],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  assert.equal(output.trim(), tooOld('20.20.2'));
  assert.equal(code, 2);
});
