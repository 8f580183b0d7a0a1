import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fillContentFolder } from '../src/surfaces/starter.ts';
import { snapshot } from './support/cli.ts';
import { forEachDatabase } from './support/databases.ts';
import { callerOf, type ServiceClient, signIn } from './support/service-client.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { until } from './support/until.ts';
import { upperMedian } from './support/upper-median.ts';

const FILES = 2_000;
const PAGE = 200;

interface Status {
  running: boolean;
  progress: { done: number } | null;
  last: object | null;
}

/** Polls the sync's status and `/health` until the condition holds. Resolves to the durations of `/health` (ms). */
async function watchUntil({ url }: ServiceProcess, holds: (status: Status) => boolean): Promise<number[]> {
  const took: number[] = [];
  const call = callerOf(url);
  await until(async () => {
    if (holds(await call<Status>('GET', '/api/sync/status'))) return true;
    took.push(await healthTime(url));
    return false;
  });
  return took;
}

async function healthTime(url: string): Promise<number> {
  const asked = performance.now();
  await callerOf(url)('GET', '/health');
  return performance.now() - asked;
}

const isSettled = ({ running, last }: Status): boolean => !running && last !== null;

/** By id. */
async function checksums({ call }: ServiceClient): Promise<string[][]> {
  const found: string[][] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await call<{
      total: number;
      entities: { entity_id: string; checksum: string; file_checksum: string }[];
    }>('GET', `/api/entity/character?sort_by=entity_id&sort_order=asc&limit=${PAGE}&offset=${offset}`);
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
      await watchUntil(cut, (status) => isSettled(status) || (status.progress?.done ?? 0) > FILES / 10);
      await cut.end('SIGKILL');

      const service = await start('data', first.url);
      const health = upperMedian(await watchUntil(service, isSettled));
      const atRest = upperMedian([
        await healthTime(service.url),
        await healthTime(service.url),
        await healthTime(service.url),
      ]);
      // Other load on the machine slows down both.
      assert.ok(
        health < 100 + 10 * atRest,
        `/health took ${health} ms during the import, ${atRest} ms after`,
      );
      const writer = await signIn(service, 'register');
      const known = await checksums(writer);
      assert.equal(known.length, FILES);
      assert.deepEqual(await writer.sync(), [0, 0, 0]);
      assert.equal(await service.end('SIGTERM'), 0);

      const anew = await start('data-anew', second.url);
      await watchUntil(anew, isSettled);
      assert.deepEqual(await checksums(await signIn(anew, 'register')), known);
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
