import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fillContentFolder } from '../src/surfaces/starter.ts';
import { snapshot } from './support/cli.ts';
import { forEachDatabase } from './support/databases.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

const FILES = 5_000;
const PAGE = 200;
const PATIENCE_MS = 60_000;
const ACCOUNT = { email: 'writer@example.com', password: 'correct horse battery', display_name: 'Writer' };

interface Status {
  running: boolean;
  progress: { done: number } | null;
  last: { status: string; created: number; updated: number; deleted: number } | null;
}

async function get<Body>(service: ServiceProcess, path: string, token?: string): Promise<Body> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const reply = await fetch(`${service.url}${path}`, { headers });
  assert.equal(reply.status, 200, path);
  return (await reply.json()) as Body;
}

/** Asks for the sync's status, and for `/health`, until it is so. Resolves to how long `/health` took, in milliseconds. */
async function watchUntil(service: ServiceProcess, holds: (status: Status) => boolean): Promise<number[]> {
  const took: number[] = [];
  const deadline = Date.now() + PATIENCE_MS;
  while (!holds(await get<Status>(service, '/api/sync/status'))) {
    assert.ok(Date.now() < deadline, 'it never happened');
    const asked = performance.now();
    await get(service, '/health');
    took.push(performance.now() - asked);
  }
  return took;
}

const isSettled = ({ running, last }: Status): boolean => !running && last !== null;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function register(service: ServiceProcess): Promise<string> {
  const reply = await fetch(`${service.url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ACCOUNT),
  });
  return ((await reply.json()) as { access_token: string }).access_token;
}

async function sync(service: ServiceProcess, token: string): Promise<Status['last']> {
  const reply = await fetch(`${service.url}/api/sync/refresh-all`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal(reply.status, 200);
  return (await reply.json()) as Status['last'];
}

/** Every entity with its checksums, in the order of their ids. */
async function checksums(service: ServiceProcess, token: string): Promise<string[][]> {
  const found: string[][] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await get<{
      total: number;
      entities: { entity_id: string; checksum: string; file_checksum: string }[];
    }>(
      service,
      `/api/entity/character?sort_by=entity_id&sort_order=asc&limit=${PAGE}&offset=${offset}`,
      token,
    );
    found.push(...page.entities.map((each) => [each.entity_id, each.checksum, each.file_checksum]));
    if (page.entities.length === 0) {
      assert.equal(page.total, found.length);
      return found;
    }
  }
}

async function fill(contentDir: string): Promise<void> {
  await fillContentFolder(contentDir, { sample: false });
  for (let index = 0; index < FILES; index += 1) {
    const id = `person_${index}`;
    const folder = join(contentDir, 'Characters', id);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, `CH_${id}.md`),
      `---\nid: ${id}\nname: Person ${index} # one of many\n---\n\n${'Lorem ipsum. '.repeat(40)}\n`,
    );
  }
}

forEachDatabase((name, open) => {
  test(`an import that kill -9 cuts short is complete after the next start, and a new database says the same (${name})`, {
    timeout: 180_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'import-'));
    const contentDir = join(folder, 'content');
    const first = await open();
    const second = await open();
    const running: ServiceProcess[] = [];
    const start = async (data: string, url: string) => {
      const env = { DATA_DIR: join(folder, data), CONTENT_DIR: contentDir, DATABASE_URL: url };
      const service = await startServiceProcess(env);
      running.push(service);
      return service;
    };
    try {
      await first.release();
      await second.release();
      await fill(contentDir);
      const before = snapshot(contentDir);

      const cut = await start('data', first.url);
      await watchUntil(cut, ({ progress }) => (progress?.done ?? 0) > 500);
      await cut.end('SIGKILL');

      const service = await start('data', first.url);
      const health = await watchUntil(service, isSettled);
      assert.ok(median(health) < 100, `/health took ${median(health)} ms while files were imported`);
      const token = await register(service);
      const known = await checksums(service, token);
      assert.equal(known.length, FILES);
      const again = await sync(service, token);
      assert.deepEqual(
        [again?.status, again?.created, again?.updated, again?.deleted],
        ['completed', 0, 0, 0],
      );
      assert.equal(await service.end('SIGTERM'), 0);

      const anew = await start('data-anew', second.url);
      await watchUntil(anew, isSettled);
      assert.deepEqual(await checksums(anew, await register(anew)), known);
      assert.equal(await anew.end('SIGTERM'), 0);
      assert.deepEqual(snapshot(contentDir), before, 'no file was touched');
    } finally {
      for (const each of running) await each.end('SIGKILL');
      await first.close();
      await second.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
