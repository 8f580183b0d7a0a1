import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runSession, shownCommands } from './support/console-session.ts';
import { MAIN, processEnv, startServiceProcess } from './support/service-process.ts';

/** Without what differs from run to run. */
const comparable = (output: string): string =>
  output
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
    .replaceAll(/\d{4}-\d{2}-\d{2}/g, '<date>')
    .trimEnd();

test('the session of the README, pasted as a block after a fresh start, prints what it shows', async (t) => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const shown = shownCommands(readme);
  assert.ok(shown.length > 15);
  const folder = mkdtempSync(join(tmpdir(), 'canonry-readme-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const data = { DATA_DIR: join(folder, 'data') };
  const service = await startServiceProcess(data);
  t.after(() => service.process.kill('SIGKILL'));

  const commands = shown.map(({ command }) => command.replace('http://127.0.0.1:8000', service.url));
  const printed = await runSession(commands, {
    cwd: folder,
    env: { ...processEnv(), ...data },
    // `npm run --silent canonry -- <arguments>` runs the program under test.
    before: `npm() { "${process.execPath}" "${MAIN}" "\${@:5}"; }`,
  });
  assert.deepEqual(
    printed.map((output, index) => [shown[index]?.command, comparable(output)]),
    shown.map(({ command, output }) => [command, comparable(output)]),
  );
});
