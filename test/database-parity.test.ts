import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fillContentFolder } from '../src/surfaces/starter.ts';
import { startCore, type TestCore } from './support/core.ts';
import { openTestPostgres, openTestSqlite } from './support/databases.ts';
import { NASTY_ENTITIES, NASTY_REQUESTS, RANKED_REQUESTS } from './support/nasty-queries.ts';

const NOON = Date.parse('2026-06-01T12:00:00Z');

interface Found {
  total?: number;
  entities?: { entity_id: string }[];
  groups?: { entity_type: string; total: number; entities: { entity_id: string }[] }[];
}

describe('SQLite and PostgreSQL give the same answers', {
  skip: process.env.CANONRY_TEST_POSTGRES === 'off' && 'no PostgreSQL server',
}, () => {
  let folder: string;
  let sqlite: TestCore;
  let postgres: TestCore;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'canonry-parity-'));
    const contentDirs = ['sqlite', 'postgres'].map((name) => join(folder, name)) as [string, string];
    for (const contentDir of contentDirs) {
      await fillContentFolder(contentDir, { sample: true });
      for (const [id, text] of Object.entries(NASTY_ENTITIES)) {
        mkdirSync(join(contentDir, 'Characters', id));
        writeFileSync(join(contentDir, 'Characters', id, `CH_${id}.md`), text);
      }
      for (const path of readdirSync(contentDir, { recursive: true }))
        utimesSync(join(contentDir, String(path)), NOON / 1000, NOON / 1000);
    }
    const clock = { now: () => NOON };
    sqlite = await startCore({ open: openTestSqlite, contentDir: contentDirs[0], clock });
    postgres = await startCore({ open: openTestPostgres, contentDir: contentDirs[1], clock });
  });
  after(async () => {
    await sqlite.close();
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function both(url: string) {
    const [one, other] = await Promise.all([
      sqlite.call<Found>('GET', url),
      postgres.call<Found>('GET', url),
    ]);
    return [one, other] as const;
  }

  test(`${NASTY_REQUESTS.length} nasty lists, filters, sorts and searches`, async () => {
    assert.ok(NASTY_REQUESTS.length >= 200);
    const differences: unknown[] = [];
    for (const url of NASTY_REQUESTS) {
      const [one, other] = await both(url);
      assert.ok(one.status < 500 && other.status < 500, url);
      try {
        assert.equal(withoutTimes(one.text), withoutTimes(other.text));
      } catch {
        differences.push({ url, sqlite: shown(one), postgres: shown(other) });
      }
    }
    assert.deepEqual(differences, []);
  });

  test('a sync reports the same faults', async () => {
    const call = (method: string, url: string) =>
      Promise.all([sqlite, postgres].map((core) => core.call<{ invalid: unknown[] }>(method, url)));
    const [one, other] = await call('POST', '/api/sync/refresh-all');
    assert.equal(one?.status, 200);
    assert.ok(one.body.invalid.length > 0);
    assert.deepEqual(one.body.invalid, other?.body.invalid);
    const [checked, checkedToo] = await call('POST', '/api/entity/validate/all');
    assert.deepEqual({ ...checked?.body, run_id: '' }, { ...checkedToo?.body, run_id: '' });
  });

  test('searches by relevance find the same', async () => {
    for (const url of RANKED_REQUESTS) {
      const [one, other] = await both(url);
      assert.deepEqual(idsOf(one.body).toSorted(), idsOf(other.body).toSorted(), url);
      assert.equal(one.body.total, other.body.total, url);
    }
  });
});

/** Entities take their times from their files, and the two folders were not written in the same moment. */
const withoutTimes = (text: string): string => text.replaceAll(/"(created|updated)_at":"[^"]*"/g, '');

const idsOf = ({ entities = [], groups = [] }: Found): string[] =>
  [...entities, ...groups.flatMap((group) => group.entities)].map(({ entity_id: id }) => id);

const shown = ({ status, body, text }: { status: number; body: Found; text: string }) => ({
  status,
  total: body.total,
  ids: idsOf(body).join(' ').slice(0, 300),
  ...(body.total === undefined && { text: text.slice(0, 200) }),
});
