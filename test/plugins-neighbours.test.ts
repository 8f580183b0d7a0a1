import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { tenantFolder } from '../src/surfaces/folders.ts';
import type { PluginReply } from '../src/world/plugins/plugins.contract.ts';
import { type Cloud, startCloud } from './support/cloud.ts';
import { type Floor, startFloor } from './support/floor-process.ts';
import { buildGuest } from './support/guests/build-guest.ts';
import { manifestOf, pluginZip } from './support/plugins.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { subscribed } from './support/subscribed.ts';
import { until } from './support/until.ts';
import { upperMedian } from './support/upper-median.ts';
import { zipOf } from './support/zip.ts';

/** Does what the path says, for ever. */
const GUEST = `
import entities from 'canonry:plugin/entities@1.0.0';
import kv from 'canonry:plugin/kv@1.0.0';
import log from 'canonry:plugin/log@1.0.0';
const kept = [];
const endless = (work) => { for (let turn = 0; ; turn += 1) { try { work(turn); } catch {} } };
const deeds = {
  '/fill': () => {
    for (let key = 0; key < 200; key += 1) kv.set('k'.repeat(250) + key, 'v');
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
  handleRequest({ path }) {
    return { status: 200, headers: [], body: String(deeds[path]()) };
  },
};
`;

const PLUGINS = ['one', 'two', 'three', 'four'];
/** Other processes disturb some rounds: half of so many must be as promised, or half of all. */
const FEW_ROUNDS = 5;
const MOST_ROUNDS = 31;
const MOST_MS = 100;
/** An attack is under way for so long before a round counts. */
const UNDER_WAY_MS = 500;
const MOST_MEMORY_MB = 950;
const MB = 1024 * 1024;
/** Each attacker sends so many at once. */
const UPLOADS = 2;

const inCloud = (tests: () => void) =>
  process.env.CANONRY_TEST_POSTGRES === 'off' || process.env.CANONRY_TEST_REDIS === 'off'
    ? test('guests of another tenant', { skip: 'needs PostgreSQL and Redis' }, () => {})
    : describe('while guests of another tenant do their worst', tests);

inCloud(() => {
  const dataDir = mkdtempSync(join(tmpdir(), 'neighbours-'));
  let cloud: Cloud;
  let contentDir: string;
  let service: ServiceProcess;
  let floor: Floor;
  let attacker: string;
  let neighbour: string;

  const ask = async (token: string, method: string, path: string, body?: object) => {
    const reply = await fetch(`${service.url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: reply.status, text: await reply.text() };
  };
  const ok = async (...asked: Parameters<typeof ask>): Promise<string> => {
    const { status, text } = await ask(...asked);
    assert.ok(status < 300, `${asked[1]} ${asked[2]}: ${status} ${text}`);
    return text;
  };
  const askGuest = async (plugin: string, path: string): Promise<number> =>
    (await ask(attacker, 'POST', `/plugins/${plugin}/custom/${path}`)).status;
  /** On a connection of its own: a service that is busy closes idle ones at any moment. */
  const upload = async ({ type, body }: Form): Promise<number> => {
    const headers = { authorization: `Bearer ${attacker}`, 'content-type': type };
    const sent = request(`${service.url}/api/plugins/upload`, { method: 'POST', headers, agent: false });
    sent.end(body);
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    reply.resume();
    await once(reply, 'end');
    return reply.statusCode ?? 0;
  };
  const paths = (): string[] =>
    readdirSync(contentDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(contentDir.length + 1));
  let there: string[] = [];
  const megabytes = (name: 'VmRSS' | 'VmHWM'): number => {
    const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8');
    return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  };

  before(async () => {
    cloud = await startCloud();
    service = await startServiceProcess({ ...cloud.env, DATA_DIR: dataDir });
    floor = await startFloor();
    const { first } = cloud.accounts;
    contentDir = tenantFolder(cloud.contentDir, first.tenantId, 'default');
    attacker = await subscribed(cloud, first, 'team');
    neighbour = await subscribed(cloud, await cloud.accounts.register(), 'team');
    const guest = await buildGuest(GUEST);
    for (const id of PLUGINS) {
      const manifest = {
        id,
        capabilities: { backend: { entry: 'guest.wasm' } },
        permissions: ['entities:read', 'entities:write', 'kv'],
      };
      assert.equal(await upload(await formOf(pluginZip(manifest, { 'guest.wasm': guest }))), 201);
      await ok(attacker, 'POST', `/plugins/${id}/grants`, { permissions: ['entities:write'] });
    }
    const body = 'and so on, and on. '.repeat(20_000);
    await ok(attacker, 'POST', '/entity/character', {
      entity_id: 'large',
      name: 'Large',
      markdown_body: body,
    });
    await ok(attacker, 'POST', '/entity/character', { entity_id: 'victim', name: 'Victim' });
    for (let index = 0; index < 30; index += 1)
      await ok(neighbour, 'POST', '/entity/character', {
        entity_id: `here_${index}`,
        name: `Here and ${index}`,
      });
    await Promise.all(PLUGINS.map((id) => ok(attacker, 'POST', `/plugins/${id}/custom/fill`)));
    there = paths();
  });
  after(async () => {
    floor?.end();
    await service?.end('SIGKILL');
    await cloud?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** Requests of a person of the other tenant; resolves to the milliseconds by which the longest is longer than the floor's. */
  async function round(count: number): Promise<number> {
    const longest = { ours: 0, floor: 0 };
    for (let index = 0; index < 10; index += 1) {
      const path = `/entity/character/here_${index}`;
      const requests = [
        () => ok(neighbour, 'GET', path),
        () => ok(neighbour, 'GET', '/entity/character?limit=20'),
        () => ok(neighbour, 'PUT', path, { fields: { occupation: `${count}` } }),
      ];
      for (const send of requests) {
        longest.floor = Math.max(longest.floor, await timeOf(async () => (await fetch(floor.url)).text()));
        longest.ours = Math.max(longest.ours, await timeOf(send));
      }
    }
    return longest.ours - longest.floor;
  }

  /** Goes on until it is told to stop; a plugin that was disabled is enabled again. */
  function attack(deed: (plugin: string) => Promise<number>) {
    const began = performance.now();
    let isOver = false;
    let running = 0;
    const attackers = PLUGINS.map(async (plugin) => {
      while (!isOver) {
        running += 1;
        const status = await deed(plugin);
        running -= 1;
        if (status === 409 && !isOver) await ask(attacker, 'POST', `/plugins/${plugin}/enable`);
      }
    });
    const forAll = (what: string) =>
      Promise.all(PLUGINS.map((plugin) => ok(attacker, 'POST', `/plugins/${plugin}/${what}`)));
    return {
      isRunning: () => running > 0,
      isUnderWay: () => running > 0 && performance.now() - began > UNDER_WAY_MS,
      /** Disabling a plugin ends what its guest does at once. */
      async stop(): Promise<void> {
        isOver = true;
        await forAll('disable');
        await Promise.all(attackers);
        await forAll('enable');
      },
    };
  }

  const attacks: Record<string, (plugin: string) => Promise<number>> = Object.fromEntries(
    ['loop', 'grow', 'recurse', 'flood', 'ask', 'store'].map((deed) => [
      deed,
      (plugin) => askGuest(plugin, deed),
    ]),
  );
  attacks['save with hooks that loop'] = async (plugin) => {
    const entity_id = `loop_${plugin}_${randomBytes(4).toString('hex')}`;
    const { status } = await ask(attacker, 'POST', '/entity/character', { entity_id, name: 'Loop' });
    assert.equal(status, 201, 'the save goes on without them');
    return askGuest(plugin, 'fill');
  };
  const large = formOf(
    zipOf([
      { name: 'plugin.json', content: JSON.stringify(manifestOf({ id: 'large' })) },
      { name: 'noise', content: randomBytes(48 * MB), isStored: true },
      { name: 'zeros', content: Buffer.alloc(50 * MB) },
    ]),
  );
  attacks['uploads near the limits, many at once'] = async () => {
    const statuses = await Promise.all(Array.from({ length: UPLOADS }, async () => upload(await large)));
    for (const status of statuses) assert.ok([201, 503].includes(status), String(status));
    return 200;
  };

  for (const [name, deed] of Object.entries(attacks))
    test(`a neighbour is answered within ${MOST_MS} ms: ${name}`, async (t) => {
      const { isRunning, isUnderWay, stop } = attack(deed);
      const took: number[] = [];
      const isPromised = () => took.length >= FEW_ROUNDS && upperMedian(took) <= MOST_MS;
      for (let rounds = 0; rounds < MOST_ROUNDS && !isPromised(); rounds += 1) {
        await until(isRunning);
        const counts = isUnderWay();
        const longer = await round(rounds);
        if (counts && isRunning()) took.push(longer);
      }
      await stop();
      t.diagnostic(
        `${took.map((ms) => ms.toFixed(0))} ms longer than the floor; ${megabytes('VmRSS')} MB, ${megabytes('VmHWM')} MB at the highest`,
      );
      assert.ok(isPromised(), `${took.map((ms) => ms.toFixed(0))} ms`);
      assert.ok(megabytes('VmHWM') < MOST_MEMORY_MB, `${megabytes('VmHWM')} MB`);
    });

  test('and nothing is left of it', async () => {
    for (const id of PLUGINS) {
      const { total } = JSON.parse(await ok(attacker, 'GET', `/plugins/${id}/log`)) as { total: number };
      assert.ok(total <= 1_000);
    }
    const { plugins } = JSON.parse(await ok(attacker, 'GET', '/plugins')) as { plugins: PluginReply[] };
    assert.deepEqual(plugins.map(({ id }) => id).sort(), ['large', ...PLUGINS].sort());
    const made = paths().filter((path) => !there.includes(path));
    assert.deepEqual(
      made.filter((path) => !/^(?:_Plugins\/large|_RecycleBin\/_files|Characters\/loop_\w+)\//.test(path)),
      [],
    );
    assert.deepEqual(readdirSync(join(dataDir, 'uploads')), []);
  });
});

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

interface Form {
  type: string;
  body: Buffer;
}

async function formOf(archive: Uint8Array): Promise<Form> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(archive)]), 'plugin.zip');
  const encoded = new Response(form);
  const body = Buffer.from(await encoded.arrayBuffer());
  return { type: encoded.headers.get('content-type') ?? '', body };
}
