import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { cliWorld } from './support/cli.ts';
import { listen } from './support/listen.ts';
import { ownersKey, type People, startPeople } from './support/people.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const INSPECTOR = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/inspector-cli/build', import.meta.url),
);
const run = promisify(execFile);

const folder = mkdtempSync(join(tmpdir(), 'canonry-'));
const contentDir = join(folder, 'content');
const env = { PATH: process.env.PATH ?? '', DATA_DIR: join(folder, 'data'), CONTENT_DIR: contentDir };

let people: People;
let address: string;
let key: string;
before(async () => {
  people = await startPeople({ content: 'templates' });
  address = await listen(people);
  key = await ownersKey(people, 'write');
  await run(process.execPath, [MAIN, 'init'], { env, cwd: folder });
});
after(async () => {
  await people.close();
  rmSync(folder, { recursive: true });
});

interface Started {
  client: Client;
  heard: string[];
  transport: StdioClientTransport;
}

/** Starts `canonry mcp` as an agent would. */
async function start(args: readonly string[], more: Record<string, string> = {}): Promise<Started> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', ...args],
    env: { ...env, ...more },
    cwd: folder,
    stderr: 'pipe',
  });
  const heard: string[] = [];
  transport.stderr?.on('data', (chunk: Buffer) => heard.push(String(chunk)));
  const client = new Client({ name: 'stdio-agent', version: '1.0.0' });
  await client.connect(transport);
  return { client, heard, transport };
}

const textOf = (result: unknown) => JSON.stringify(result);

test('without a service the content folder is opened here, and what is proposed waits in it', async () => {
  const { client } = await start([]);
  const { tools } = await client.listTools();
  assert.ok(tools.some(({ name }) => name === 'create_draft'));
  const draft = { entity_type: 'character', entity_id: 'mo', name: 'Mo', about: 'A thief' };
  const made = await client.callTool({ name: 'create_draft', arguments: draft });
  assert.ok(!made.isError, textOf(made));
  const done = await client.callTool({ name: 'finish_changes', arguments: {} });
  assert.match(textOf(done), /"status\\?":\\?"pending/);
  await client.close();
});

test('a second process on the folder is refused with what to do, and says nothing else on its output', async () => {
  const { client, transport } = await start([]);
  const failed = await run(process.execPath, [MAIN, 'mcp'], { env, cwd: folder }).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  assert.ok('code' in failed);
  assert.deepEqual([failed.code, failed.stdout], [2, '']);
  assert.match(failed.stderr, /canonry mcp --url/);
  assert.ok(transport.pid);
  await client.close();
});

test('for a running service it passes messages on, with its key and project', async () => {
  const { client } = await start(['--url', address], { CANONRY_API_KEY: key });
  const found = await client.callTool({ name: 'list_types', arguments: {} });
  assert.match(textOf(found), /character/);
  const draft = { entity_type: 'character', entity_id: 'oda', name: 'Oda' };
  const made = await client.callTool({ name: 'create_draft', arguments: draft });
  assert.ok(!made.isError, textOf(made));
  await client.close();
  const sets = await people.ask(people.cast.editor, 'GET', '/api/ai/change-sets');
  assert.match(sets.text, /"agent":"stdio-agent"/);
});

test('wrong settings are said before anything is spoken', async (t) => {
  const world = cliWorld(t);
  for (const [args, said] of [
    [['--url', address], /needs an API key/],
    [['--url', 'nonsense', '--key', 'x'], /takes an address/],
    [['--key', 'x'], /goes with --url/],
    [['--project', '../x'], /--project takes/],
  ] as const) {
    const failed = await world.run('mcp', ...args);
    assert.deepEqual([failed.code, failed.out], [2, ''], failed.err);
    assert.match(failed.err, said);
  }
  assert.match((await world.run('mcp', '--help')).out, /CANONRY_API_KEY/);
});

/** The inspector's command line reads a file of the package that it is usually a part of, so it runs in a folder with one. */
function placedInspector(): string {
  const place = join(folder, 'inspector');
  mkdirSync(join(place, 'cli'), { recursive: true });
  cpSync(INSPECTOR, join(place, 'cli/build'), { recursive: true });
  writeFileSync(join(place, 'package.json'), '{"name":"inspector","version":"1.0.3","type":"module"}');
  symlinkSync(join(INSPECTOR, '../node_modules'), join(place, 'cli/node_modules'));
  symlinkSync(join(INSPECTOR, '../../..'), join(place, 'node_modules'));
  return join(place, 'cli/build/index.js');
}

/** The inspector's command line: each run connects, asks once and prints the answer as JSON. */
async function inspect(
  inspector: string,
  target: readonly string[],
  ...method: string[]
): Promise<Record<string, unknown>> {
  const { stdout } = await run(process.execPath, [inspector, ...target, '--method', ...method], {
    env: { ...env, CANONRY_API_KEY: key },
    cwd: folder,
  });
  return JSON.parse(stdout.slice(stdout.indexOf('{')));
}

test('the inspector is content with both transports', async () => {
  const inspector = placedInspector();
  const overHttp = [`${address}/api/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${key}`];
  const overStdio = [process.execPath, MAIN, 'mcp'];
  for (const target of [overHttp, overStdio]) {
    const { tools } = await inspect(inspector, target, 'tools/list');
    assert.ok(Array.isArray(tools) && tools.length === 15);
    const called = await inspect(
      inspector,
      target,
      'tools/call',
      '--tool-name',
      'search',
      '--tool-arg',
      'query=tide',
    );
    assert.match(textOf(called), /results/);
  }
  const { resources } = await inspect(inspector, overHttp, 'resources/list');
  assert.match(textOf(resources), /canonry:\/\/template\/character/);
  const { prompts } = await inspect(inspector, overHttp, 'prompts/list');
  assert.match(textOf(prompts), /write_character/);
  const { resourceTemplates } = await inspect(inspector, overHttp, 'resources/templates/list');
  assert.match(textOf(resourceTemplates), /canonry:\/\/entity\/\{type\}\/\{id\}/);
});
