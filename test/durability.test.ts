import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { checksumOf } from '../src/kit/crypto.ts';
import { forEachDatabase } from './support/databases.ts';
import { signIn } from './support/service-client.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { until } from './support/until.ts';

interface EntityReply {
  entity_id: string;
  fields: Record<string, unknown>;
  version: number;
  file_checksum: string;
}

/** Both databases use the same disk. */
const ROUNDS = { sqlite: 3, postgres: 2 };
const WRITERS = 6;
const LONGEST_LIFE_MS = 700;

/** Confirmed by the service: each entity's `occupation`, or null once its deletion was confirmed. */
type Confirmed = Map<string, string | null>;

const caller = (url: string, token: string) => (method: string, path: string, body?: object) =>
  fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });

/** Creates, changes and deletes entities until the service is gone, noting confirmed and open requests. */
async function write(
  call: ReturnType<typeof caller>,
  prefix: string,
  confirmed: Confirmed,
  pending: Set<string>,
) {
  for (let count = 0; ; count += 1) {
    const id = `${prefix}_${count}`;
    pending.add(id);
    const steps = [
      { method: 'POST', path: '/api/entity/character', value: 'one' },
      { method: 'PUT', path: `/api/entity/character/${id}`, value: 'two' },
      ...(count % 3 === 0 ? [{ method: 'DELETE', path: `/api/entity/character/${id}`, value: null }] : []),
    ];
    for (const { method, path, value } of steps) {
      const body =
        method === 'POST'
          ? { entity_id: id, name: id, fields: { occupation: value } }
          : method === 'PUT'
            ? { fields: { occupation: value } }
            : undefined;
      const reply = await call(method, path, body).catch(() => null);
      if (reply === null) return;
      assert.ok(reply.ok, `${method} ${path}: ${reply.status} ${await reply.text()}`);
      await reply.arrayBuffer().catch(() => null);
      confirmed.set(id, value);
    }
    pending.delete(id);
  }
}

forEachDatabase((name, open) => {
  test(`kill -9 at any moment loses nothing that was confirmed (${name})`, { timeout: 240_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'durability-'));
    const opened = await open();
    await opened.release();
    const contentDir = join(folder, 'content');
    mkdirSync(contentDir);
    const env = { DATA_DIR: join(folder, 'data'), CONTENT_DIR: contentDir, DATABASE_URL: opened.url };
    const confirmed: Confirmed = new Map();
    const pending = new Set<string>();
    let service: ServiceProcess | undefined;
    try {
      for (let round = 0; round < ROUNDS[name]; round += 1) {
        service = await startServiceProcess(env);
        const { token } = await signIn(service, round === 0 ? 'register' : 'login');
        const call = caller(service.url, token);
        const writers = Array.from({ length: WRITERS }, (_, index) =>
          write(call, `r${round}w${index}`, confirmed, pending),
        );
        const already = confirmed.size;
        await until(() => confirmed.size > already);
        await sleep(Math.random() * LONGEST_LIFE_MS);
        await service.end('SIGKILL');
        await Promise.all(writers);
      }
      service = await startServiceProcess(env);
      const writer = await signIn(service, 'login');
      await writer.settled();
      await checkAll(caller(service.url, writer.token), contentDir, confirmed, pending);
      assert.equal(await service.end('SIGTERM'), 0);
    } finally {
      await service?.end('SIGKILL');
      await opened.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

async function checkAll(
  call: ReturnType<typeof caller>,
  contentDir: string,
  confirmed: Confirmed,
  pending: Set<string>,
) {
  for (const [id, value] of confirmed) {
    const reply = await call('GET', `/api/entity/character/${id}`);
    const inTheAir = pending.has(id);
    if (value === null) {
      assert.equal(reply.status, 404, `${id} was deleted`);
      continue;
    }
    if (inTheAir && reply.status === 404) continue;
    const entity = (await reply.json()) as EntityReply;
    assert.equal(reply.status, 200, `${id} was confirmed`);
    if (!inTheAir) assert.equal(entity.fields.occupation, value, id);
    const bytes = readFileSync(join(contentDir, 'Characters', id, `CH_${id}.md`));
    assert.equal(entity.file_checksum, checksumOf(bytes), `${id}: file and row agree`);
  }
  const folders = readdirSync(join(contentDir, 'Characters')).filter((each) => each.startsWith('r'));
  for (const id of folders) {
    const entries = readdirSync(join(contentDir, 'Characters', id)).filter((each) => each.endsWith('.md'));
    if (entries.length === 0) continue;
    assert.equal(
      (await call('GET', `/api/entity/character/${id}`)).status,
      200,
      `${id} is a file, so an entity`,
    );
  }
}
