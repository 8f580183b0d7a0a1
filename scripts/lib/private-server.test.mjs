import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../test/support/until.ts';
import { startServer } from './private-server.mjs';

/** It is ready once it has made a file called `ready` in its folder. */
function start(t, source) {
  const folder = mkdtempSync(join(tmpdir(), 'canonry-server-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const program = `const { writeFileSync, existsSync } = require('node:fs'); ${source}`;
  const command = [process.execPath, '-e', program];
  return {
    folder,
    started: startServer({ command, folder, isReady: async () => existsSync(join(folder, 'ready')) }),
  };
}

test('a server that is stopped ends, and its folder is gone', async (t) => {
  const { folder, started } = start(t, `writeFileSync('ready', ''); setInterval(() => {}, 1_000);`);
  const server = await started;
  let isLost = false;
  server.lost.then(() => {
    isLost = true;
  });
  await server.stop();
  assert.deepEqual([existsSync(folder), isLost], [false, false]);
});

test('one that ends by itself is told, with what it said last', async (t) => {
  const { folder, started } = start(
    t,
    `writeFileSync('ready', ''); setInterval(() => existsSync('die') && assert.fail('out of memory'), 10);`,
  );
  const server = await started;
  writeFileSync(join(folder, 'die'), '');
  assert.match(await server.lost, /ended with 1\n[\s\S]*out of memory/);
  await server.stop();
  await until(() => !existsSync(folder));
});

test('one that loses a process is told', async (t) => {
  const { folder, started } = start(
    t,
    `writeFileSync('ready', '');
     setInterval(() => existsSync('die') && console.error('server process was terminated by signal 9'), 10);`,
  );
  const server = await started;
  writeFileSync(join(folder, 'die'), '');
  assert.match(await server.lost, /a process of .* died\n[\s\S]*signal 9/);
  await server.stop();
});

test('one that cannot start says why at once', async (t) => {
  const { started } = start(t, `assert.fail('the port is taken');`);
  await assert.rejects(started, /ended with 1\n[\s\S]*the port is taken/);
});
