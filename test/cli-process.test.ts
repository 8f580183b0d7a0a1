import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { cliWorld } from './support/cli.ts';
import { MAIN, processEnv, startServiceProcess } from './support/service-process.ts';
import { until } from './support/until.ts';

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'canonry-process-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

const start = (args: readonly string[], env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [MAIN, ...args], {
    env: { ...processEnv(), ...env },
    // An open standard input that nobody writes to: no command may wait for it.
    stdio: ['pipe', 'pipe', 'pipe'],
  });

async function run(args: readonly string[], env: Record<string, string>): Promise<Ended> {
  const child = start(args, env);
  const ended: Ended = { code: null, out: '', err: '' };
  child.stdout?.on('data', (chunk) => {
    ended.out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    ended.err += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { ...ended, code };
}

/** Holds the body back; `isTaken` resolves once the service has acknowledged the head. */
function beginRequest(url: string, body: string) {
  const sent = request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
    },
  });
  const isTaken = once(sent, 'continue');
  const reply = once(sent, 'response').then(([message]: IncomingMessage[]) => {
    assert.ok(message);
    return message.resume();
  });
  sent.flushHeaders();
  return { isTaken, reply, finish: () => sent.end(body) };
}

const refusesConnections = (url: string): Promise<void> =>
  until(async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const connected = once(socket, 'connect').finally(() => socket.destroy());
    return connected.then(
      () => false,
      ({ code }) => code === 'ECONNREFUSED',
    );
  });

test('a service owns its data folder, lets others look, and ends what runs before it stops', async (t) => {
  const folder = temporaryFolder(t);
  const env = { DATA_DIR: folder, BIND_ADDR: '127.0.0.1:0' };
  const service = await startServiceProcess(env);
  t.after(() => service.process.kill('SIGKILL'));
  const pidFile = join(folder, 'canonry.pid');
  assert.equal(Number(readFileSync(pidFile, 'utf8')), service.process.pid);
  assert.match(service.output(), /^listening on http:\/\/127\.0\.0\.1:\d+$/m);
  const health = await fetch(`${service.url}/health`);
  assert.equal(health.status, 200);
  await health.text();

  const held = new RegExp(`^canonry: Process ${service.process.pid} already works on the data folder .*\\n$`);
  for (const args of [['serve', '--provision'], ['sync'], ['user', 'create', 'a@example.com']]) {
    const { code, out, err } = await run(args, env);
    assert.equal(code, 2, args.join(' '));
    assert.equal(out, '');
    assert.match(err, held);
  }
  for (const args of [['validate'], ['user', 'list'], ['config'], ['migrate', '--status']]) {
    const { code, err } = await run(args, env);
    assert.deepEqual([code, err], [0, ''], args.join(' '));
  }
  const { code, out } = await run(['doctor', '--json'], env);
  assert.equal(code, 0, out);

  const body = JSON.stringify({
    email: 'a@example.com',
    password: 'correct horse battery',
    display_name: 'A',
  });
  // Listen from the beginning, so that an early reply is not missed.
  const slow = beginRequest(`${service.url}/api/auth/register`, body);
  await slow.isTaken;
  const exit = service.end('SIGTERM');
  await refusesConnections(service.url);
  slow.finish();
  assert.equal((await slow.reply).statusCode, 201);
  assert.equal(await exit, 0);
  assert.equal(existsSync(pidFile), false);
  const users = await run(['user', 'list', '--json'], env);
  assert.equal(JSON.parse(users.out).users[0].email, 'a@example.com');
});

test('a setting that is wrong ends the start with 2 and one line', async (t) => {
  const folder = temporaryFolder(t);
  const wrong = await run(['serve'], { DATA_DIR: folder });
  assert.deepEqual([wrong.code, wrong.out], [2, '']);
  assert.match(wrong.err, /^canonry: CONTENT_DIR is not set, .*For example: .*\n$/);
  const busy = await run(['serve', '--provision'], { DATA_DIR: folder, BIND_ADDR: '127.0.0.1:nowhere' });
  assert.deepEqual([busy.code, busy.out], [2, '']);
  assert.match(busy.err, /^canonry: BIND_ADDR .*\n$/);
});

test('a content folder that was set and is not there makes no new world', async (t) => {
  const folder = temporaryFolder(t);
  const missing = join(folder, 'wrld');
  for (const options of [
    ['serve', '--provision'],
    ['serve', '--provision', '--surface', 'desktop'],
  ]) {
    const { code, out, err } = await run(options, { DATA_DIR: join(folder, 'data'), CONTENT_DIR: missing });
    assert.deepEqual([code, out], [2, '']);
    assert.equal(
      err,
      `canonry: CONTENT_DIR=${missing}: there is no such folder, and nothing was made. Correct the path, or make the folder first: canonry init ${missing} --sample\n`,
    );
  }
  assert.equal(existsSync(missing), false);

  const file = join(folder, 'world.md');
  writeFileSync(file, '# A world');
  const wrong = await run(['serve', '--provision'], { DATA_DIR: join(folder, 'data'), CONTENT_DIR: file });
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /^canonry: CONTENT_DIR=\S+ is a file: [^\n]*\n$/);
});

test('on a terminal the user is asked whether to make the content folder', async (t) => {
  const world = cliWorld(t);
  const stop = new AbortController();
  const serve = (input: string) =>
    world.runWith(
      { input, isTTY: true, stop: stop.signal, env: { BIND_ADDR: '127.0.0.1:0' } },
      'serve',
      '--provision',
    );
  const refused = await serve('n\n');
  assert.match(refused.out, /^There is no folder \S+\. Create it .*\? \[y\/N\] $/);
  assert.equal(refused.code, 2);
  assert.equal(existsSync(world.contentDir), false);
  stop.abort();
  const agreed = await serve('y\n');
  assert.match(agreed.out, /filled \S+ with the starter templates and a sample world/);
  assert.ok(existsSync(join(world.contentDir, 'Characters')));
});

test('the start tells of notes that it does not serve, and asks for a first user only while there is none', async (t) => {
  const folder = temporaryFolder(t);
  const vault = join(folder, 'vault');
  mkdirSync(join(vault, '.obsidian'), { recursive: true });
  for (const path of ['One.md', 'Two.md', '.obsidian/hidden.md']) writeFileSync(join(vault, path), 'A note.');
  const env = { DATA_DIR: join(folder, 'data'), CONTENT_DIR: vault };
  const first = await startServiceProcess(env);
  t.after(() => first.process.kill('SIGKILL'));
  await until(() => first.output().includes('the first account owns this installation'));
  assert.match(first.output(), /it has 2 notes and no templates, so nothing in it is served/);
  assert.match(first.output(), new RegExp(`CONTENT_DIR=${vault}-world npm run canonry -- import ${vault}`));
  const body = JSON.stringify({
    email: 'a@example.com',
    password: 'correct horse battery',
    display_name: 'A',
  });
  const headers = { 'content-type': 'application/json' };
  assert.equal(
    (await fetch(`${first.url}/api/auth/register`, { method: 'POST', headers, body })).status,
    201,
  );
  await first.end('SIGTERM');
  const second = await startServiceProcess(env);
  t.after(() => second.process.kill('SIGKILL'));
  await until(() => second.output().includes(`next     open ${second.url}`));
  assert.doesNotMatch(second.output(), /first account/);
  await second.end('SIGTERM');
});

test('a taken port is named, and nothing is left behind', async (t) => {
  const folder = temporaryFolder(t);
  const first = await startServiceProcess({ DATA_DIR: join(folder, 'a') });
  t.after(() => first.process.kill('SIGKILL'));
  const env = { DATA_DIR: join(folder, 'b'), BIND_ADDR: first.url.replace('http://', '') };
  const second = await run(['serve', '--provision'], env);
  assert.equal(second.code, 2);
  assert.match(second.err, /^canonry: cannot listen on .*EADDRINUSE.*Set BIND_ADDR to a free address\n$/);
  assert.equal(existsSync(join(folder, 'b/canonry.pid')), false);
  assert.equal(await first.end('SIGINT'), 0);
});

test('serve --json prints one document', async (t) => {
  const child = start(['serve', '--provision', '--json'], {
    DATA_DIR: temporaryFolder(t),
    BIND_ADDR: '127.0.0.1:0',
  });
  t.after(() => child.kill('SIGKILL'));
  let out = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
    if (out.includes('\n}\n')) child.kill('SIGTERM');
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 0);
  assert.match(JSON.parse(out).listening, /^http:\/\/127\.0\.0\.1:\d+$/);
});

test('a reader that stops early is no failure', async (t) => {
  const folder = temporaryFolder(t);
  const env = { DATA_DIR: folder };
  assert.equal((await run(['init', '--sample'], env)).code, 0);
  const child = start(['config', '--markdown'], env);
  child.stdout?.destroy();
  let err = '';
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  const [code] = await once(child, 'close');
  assert.deepEqual([code, err], [0, '']);
});

test('a slow reader gets all of it', async (t) => {
  const folder = temporaryFolder(t);
  const env = { DATA_DIR: folder };
  assert.equal((await run(['init'], env)).code, 0);
  const text = `---\nid: long\nname: Long\n---\n${'A line of a long story.\n'.repeat(60_000)}`;
  mkdirSync(join(folder, 'content', 'Characters', 'long'), { recursive: true });
  writeFileSync(join(folder, 'content', 'Characters', 'long', 'CH_long.md'), text);
  const child = start(['export', 'character', 'long'], env);
  const closed = once(child, 'close');
  // Long enough for the process to exit if it did not wait.
  await Promise.race([once(child, 'exit'), setTimeout(3_000)]);
  const out: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  assert.deepEqual(await closed, [0, null]);
  assert.equal(Buffer.concat(out).toString(), text);
});
