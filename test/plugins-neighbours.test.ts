import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fillContentFolder } from '../src/surfaces/starter.ts';
import type { PluginReply } from '../src/world/plugins/plugins.contract.ts';
import { snapshot } from './support/cli.ts';
import { openTestSqlite } from './support/databases.ts';
import { buildGuest } from './support/guests/build-guest.ts';
import { manifestOf, pluginZip } from './support/plugins.ts';
import { signIn } from './support/service-client.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { until } from './support/until.ts';
import { zipOf } from './support/zip.ts';

/** Does what the path says, for ever. */
const GUEST = `
import entities from 'canonry:plugin/entities@1.0.0';
import kv from 'canonry:plugin/kv@1.0.0';
import log from 'canonry:plugin/log@1.0.0';
const kept = [];
const endless = (work) => { for (let turn = 0; ; turn += 1) { try { work(turn); } catch {} } };
const deeds = {
  '/fill': (from) => {
    for (let key = from; key < from + 200; key += 1) kv.set('k'.repeat(200) + key, 'v');
    return 'filled';
  },
  '/loop': () => { for (;;); },
  '/grow': () => { for (;;) kept.push('x'.repeat(100_000) + kept.length); },
  '/recurse': () => deeds['/recurse']() + 1,
  '/flood': () => { for (let line = 0; line < 100_000; line += 1) log.log('warn', 'x'.repeat(4_000) + line); return 'flooded'; },
  '/ask': () => endless(() => { kv.list(''); entities.get('character', 'large'); entities.search('and', 100); }),
  '/store': () => endless((turn) => {
    kv.set('set ' + (turn % 50), 'x'.repeat(60_000));
    entities.write('character', 'victim', JSON.stringify({ occupation: 'x' + turn }));
  }),
};
export const metadata = { getInfo: () => ({ name: 'Hostile', version: '1.0.0', description: '' }) };
export const hooks = {
  onEntitySave({ id }) { if (id.startsWith('loop')) for (;;); return null; },
  onEntityValidate({ id }) { if (id.startsWith('loop')) for (;;); return []; },
  onEntityCreate({ id }) { if (id.startsWith('loop')) for (;;); },
  onEntityDelete() {},
  onProjectInit() {},
};
export const routes = {
  handleRequest({ path, body }) {
    return { status: 200, headers: [], body: String(deeds[path](Number(body ?? 0))) };
  },
};
`;

const PLUGINS = ['one', 'two', 'three', 'four'];
/** Other processes disturb most rounds: one that they leave alone shows how long a neighbour waits. */
const MOST_ROUNDS = 60;
const MOST_MS = 100;
const MOST_MEMORY_MB = 1_500;
const MB = 1024 * 1024;
/** That each plugin keeps: enough to be long to list. */
const KEYS = 600;

describe('while guests of plugins do their worst', () => {
  const folder = mkdtempSync(join(tmpdir(), 'neighbours-'));
  const contentDir = join(folder, 'content');
  let service: ServiceProcess;
  let token: string;
  let removeDatabase: () => Promise<void>;

  const ask = async (method: string, path: string, body?: object | string, project = 'default') => {
    const isText = typeof body === 'string';
    const reply = await fetch(`${service.url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'x-project-id': project,
        ...(body !== undefined && { 'content-type': isText ? 'text/plain' : 'application/json' }),
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    return { status: reply.status, text: await reply.text() };
  };
  const ok = async (...asked: Parameters<typeof ask>): Promise<string> => {
    const { status, text } = await ask(...asked);
    assert.ok(status < 300, `${asked[0]} ${asked[1]}: ${status} ${text}`);
    return text;
  };
  /** On a connection of its own: a service that is busy closes idle ones at any moment. */
  const upload = async (archive: Uint8Array): Promise<number> => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(archive)]), 'plugin.zip');
    const encoded = new Response(form);
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': encoded.headers.get('content-type') ?? '',
    };
    const sent = request(`${service.url}/api/plugins/upload`, { method: 'POST', headers, agent: false });
    sent.end(Buffer.from(await encoded.arrayBuffer()));
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    reply.resume();
    await once(reply, 'end');
    return reply.statusCode ?? 0;
  };
  const paths = () => Object.keys(snapshot(contentDir));
  let there: string[] = [];
  const megabytes = (name: 'VmRSS' | 'VmHWM'): number => {
    const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8');
    return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  };

  before(async () => {
    const opened = await openTestSqlite();
    await opened.release();
    removeDatabase = opened.close;
    await fillContentFolder(contentDir, { sample: false });
    service = await startServiceProcess({
      DATA_DIR: join(folder, 'data'),
      CONTENT_DIR: contentDir,
      DATABASE_URL: opened.url,
    });
    const writer = await signIn(service, 'register');
    token = writer.token;
    await writer.settled();
    await ok('POST', '/projects', { name: 'Neighbour', id: 'neighbour', start: 'starter' });
    const guest = await buildGuest(GUEST);
    for (const id of PLUGINS) {
      const manifest = {
        id,
        capabilities: { backend: { entry: 'guest.wasm' } },
        permissions: ['entities:read', 'entities:write', 'kv'],
      };
      assert.equal(await upload(pluginZip(manifest, { 'guest.wasm': guest })), 201);
      await ok('POST', `/plugins/${id}/grants`, { permissions: ['entities:write'] });
    }
    const body = 'and so on, and on. '.repeat(20_000);
    await ok('POST', '/entity/character', { entity_id: 'large', name: 'Large', markdown_body: body });
    await ok('POST', '/entity/character', { entity_id: 'victim', name: 'Victim' });
    for (let index = 0; index < 30; index += 1)
      await ok(
        'POST',
        '/entity/character',
        { entity_id: `here_${index}`, name: `Here and ${index}` },
        'neighbour',
      );
    for (let from = 0; from < KEYS; from += 200)
      await Promise.all(PLUGINS.map((id) => ok('POST', `/plugins/${id}/custom/fill`, String(from))));
    there = paths();
  });
  after(async () => {
    await service?.end('SIGKILL');
    await removeDatabase?.();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What a person does who has nothing to do with it; the longest of these in milliseconds. */
  async function round(count: number): Promise<number> {
    let longest = 0;
    for (let index = 0; index < 10; index += 1) {
      const id = `here_${index}`;
      const requests: Parameters<typeof ask>[] = [
        ['GET', `/entity/character/${id}`, undefined, 'neighbour'],
        ['GET', '/entity/character?limit=20', undefined, 'neighbour'],
        ['PUT', `/entity/character/${id}`, { fields: { occupation: `${count}` } }, 'neighbour'],
      ];
      for (const each of requests) {
        const began = performance.now();
        await ok(...each);
        longest = Math.max(longest, performance.now() - began);
      }
    }
    return longest;
  }

  /** Goes on until it is told to stop; a plugin that was disabled is enabled again. */
  function attack(deed: (plugin: string) => Promise<number>) {
    let isOver = false;
    let running = 0;
    const attackers = PLUGINS.map(async (plugin) => {
      while (!isOver) {
        running += 1;
        const status = await deed(plugin);
        running -= 1;
        if (status === 409) await ask('POST', `/plugins/${plugin}/enable`);
      }
    });
    return {
      isRunning: () => running > 0,
      async stop(): Promise<void> {
        isOver = true;
        await Promise.all(attackers);
      },
    };
  }

  const attacks: Record<string, (plugin: string) => Promise<number>> = Object.fromEntries(
    ['loop', 'grow', 'recurse', 'flood', 'ask', 'store'].map((deed) => [
      deed,
      async (plugin) => (await ask('POST', `/plugins/${plugin}/custom/${deed}`)).status,
    ]),
  );
  attacks['save with hooks that loop'] = async (plugin) => {
    const entity_id = `loop_${plugin}_${randomBytes(4).toString('hex')}`;
    const { status } = await ask('POST', '/entity/character', { entity_id, name: 'Loop' });
    assert.equal(status, 201, 'the save goes on without them');
    return (await ask('POST', `/plugins/${plugin}/custom/fill`, '9000')).status;
  };
  const noise = randomBytes(48 * MB);
  const large = zipOf([
    { name: 'plugin.json', content: JSON.stringify(manifestOf({ id: 'large' })) },
    { name: 'noise', content: noise, isStored: true },
    { name: 'zeros', content: Buffer.alloc(50 * MB) },
  ]);
  attacks['twenty uploads near the limits'] = async () => {
    const statuses = await Promise.all(Array.from({ length: 5 }, () => upload(large)));
    for (const status of statuses) assert.ok([201, 503].includes(status), String(status));
    return 200;
  };

  for (const [what, deed] of Object.entries(attacks))
    test(`a neighbour is answered within ${MOST_MS} ms: ${what}`, async (t) => {
      const { isRunning, stop } = attack(deed);
      let best = Number.POSITIVE_INFINITY;
      let rounds = 0;
      for (; rounds < MOST_ROUNDS && best > MOST_MS; rounds += 1) {
        await until(isRunning);
        const longest = await round(rounds);
        if (isRunning()) best = Math.min(best, longest);
      }
      await stop();
      t.diagnostic(
        `${best.toFixed(0)} ms at most in round ${rounds}; ${megabytes('VmRSS')} MB, ${megabytes('VmHWM')} MB at the highest`,
      );
      assert.ok(best <= MOST_MS, `${best.toFixed(0)} ms`);
      assert.ok(megabytes('VmHWM') < MOST_MEMORY_MB, `${megabytes('VmHWM')} MB`);
    });

  test('and nothing is left of it', async () => {
    for (const id of PLUGINS) {
      const { total } = JSON.parse(await ok('GET', `/plugins/${id}/log`)) as { total: number };
      assert.ok(total <= 1_000);
    }
    const { plugins } = JSON.parse(await ok('GET', '/plugins')) as { plugins: PluginReply[] };
    assert.deepEqual(plugins.map(({ id }) => id).sort(), ['large', ...PLUGINS].sort());
    const made = paths().filter((path) => !there.includes(path));
    assert.deepEqual(
      made.filter((path) => !/^(?:_Plugins\/large|_RecycleBin\/_files|Characters\/loop_\w+)\//.test(path)),
      [],
    );
    assert.deepEqual(readdirSync(join(folder, 'data/uploads')), []);
  });
});
