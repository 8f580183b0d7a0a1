import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openedProject, startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { findEntityRow, keepRevisions, type RecordsDb } from '../records/index.ts';

interface Listed {
  total: number;
  revisions: {
    version: number;
    source: string;
    created_by: string | null;
    current: boolean;
    sitting?: {
      first_version: number;
      last_version: number;
      count: number;
      offset: number;
      started_at: string;
      ended_at: string;
      changed: string[];
    };
  }[];
}

const MINUTE = 60_000;
const ADMIN = 'admin@example.com';
const BO = 'bo@example.com';

forEachDatabase((_name, open) => {
  let core: TestCore;
  let start = Date.parse('2026-03-02T08:00:00.000Z');
  let now = start;
  before(async () => {
    core = await startCore({ open, clock: { now: () => now } });
    const token = await core.registerViewer(BO);
    const me = await core.call<{ user_id: string }>('GET', '/api/auth/me', { token });
    await core.call('PUT', `/api/users/${me.body.user_id}`, { body: { role: 'editor' } });
  });
  after(() => core.close());

  /** Tokens end after 15 minutes. */
  async function signIn(email: string): Promise<string> {
    const body = { email, password: 'correct horse battery' };
    const reply = await core.call<{ access_token: string }>('POST', '/api/auth/login', { token: null, body });
    assert.equal(reply.status, 200, reply.text);
    return reply.body.access_token;
  }
  const timeAt = (minutes: number): string => new Date(start + minutes * MINUTE).toISOString();
  async function save(id: string, minutes: number, body: object, email = ADMIN): Promise<void> {
    now = Date.parse(timeAt(minutes));
    const token = await signIn(email);
    const reply = await core.call('PUT', `/api/entity/character/${id}`, { body, token });
    assert.equal(reply.status, 200, reply.text);
  }
  async function create(id: string): Promise<void> {
    start = now + 24 * 60 * MINUTE;
    now = start;
    const body = { entity_id: id, name: id };
    const token = await signIn(ADMIN);
    assert.equal((await core.call('POST', '/api/entity/character', { body, token })).status, 201);
  }
  const list = async (id: string, query: string): Promise<Listed> => {
    const path = `/api/entity/character/${id}/revisions?${query}`;
    const reply = await core.call<Listed>('GET', path, { token: await signIn(ADMIN) });
    assert.equal(reply.status, 200, reply.text);
    return reply.body;
  };
  const sittingsOf = async (id: string, query = '') => {
    const { total, revisions } = await list(id, `grouped=true${query}`);
    const spans = revisions.map(({ sitting }) =>
      sitting ? [sitting.first_version, sitting.last_version, sitting.count, sitting.offset] : [],
    );
    return { total, spans, revisions };
  };

  test('versions of one person in a row are one entry, with what they changed and from when to when', async () => {
    await create('typed');
    await save('typed', 1, { fields: { occupation: 'Sailor' } });
    await save('typed', 2, { markdown_body: 'One.\n' });
    await save('typed', 17, { markdown_body: 'One. Two.\n' });
    await save('typed', 33, { markdown_body: 'Three.\n' });
    const { total, spans, revisions } = await sittingsOf('typed');
    assert.deepEqual(
      [total, spans],
      [
        2,
        [
          [5, 5, 1, 0],
          [1, 4, 4, 1],
        ],
      ],
    );
    const [newest, older] = revisions;
    assert.deepEqual(
      [newest?.current, older?.current, older?.version, older?.source],
      [true, false, 4, 'api'],
    );
    assert.deepEqual(older?.sitting?.changed.toSorted(), ['markdown_body', 'occupation']);
    assert.deepEqual([older?.sitting?.started_at, older?.sitting?.ended_at], [timeAt(0), timeAt(17)]);
  });

  test('another person, and another way, begin anew', async () => {
    await create('shared');
    await save('shared', 1, { fields: { age: 30 } });
    await save('shared', 2, { fields: { age: 31 } }, BO);
    await save('shared', 3, { fields: { age: 32 } });
    await appendFile(join(core.contentDir, 'Characters/shared/CH_shared.md'), '\nBy hand.\n');
    const synced = await core.call('POST', '/api/sync/refresh-all', { body: {}, token: await signIn(ADMIN) });
    assert.equal(synced.status, 200, synced.text);
    const { spans, revisions } = await sittingsOf('shared');
    assert.deepEqual(
      spans.map(([first, last]) => [first, last]),
      [
        [5, 5],
        [4, 4],
        [3, 3],
        [1, 2],
      ],
    );
    assert.deepEqual(
      revisions.map(({ source }) => source),
      ['file', 'api', 'api', 'api'],
    );
  });

  test('pages count sittings and cut none; a sitting says where its versions are in the list without', async () => {
    await create('paged');
    for (const minutes of [1, 2, 60, 61, 62, 120]) await save('paged', minutes, { fields: { age: minutes } });
    const pages = [];
    for (const offset of [0, 1, 2, 3]) pages.push(await sittingsOf('paged', `&limit=1&offset=${offset}`));
    assert.deepEqual(
      pages.map(({ total, spans }) => [total, ...spans]),
      [[3, [7, 7, 1, 0]], [3, [4, 6, 3, 1]], [3, [1, 3, 3, 4]], [3]],
    );
    const versionsOf = async (query: string) =>
      (await list('paged', query)).revisions.map(({ version }) => version);
    assert.deepEqual(await versionsOf('offset=1&limit=3'), [6, 5, 4]);
    assert.deepEqual(await versionsOf('offset=4&limit=3'), [3, 2, 1]);
  });

  test('a sitting of any length is one entry', async () => {
    await create('long');
    const project = openedProject(core);
    const row =
      (await project.database.read((db: RecordsDb) => findEntityRow(db, project, 'character', 'long'))) ??
      assert.fail();
    const versions = Array.from({ length: 2_500 }, (_, index) => ({
      row: { ...row, version: index + 1 },
      text: '',
    }));
    await project.database.write(async (db: RecordsDb) => {
      await keepRevisions(db, project.database.dialect, versions);
      await db.updateTable('entities').set({ version: 2_501 }).where('row_id', '=', row.row_id).execute();
    });
    const { total, spans } = await sittingsOf('long');
    assert.deepEqual([total, spans], [1, [[1, 2_501, 2_501, 0]]]);
  });

  test('without grouping the list is as ever', async () => {
    await create('plain');
    await save('plain', 1, { fields: { age: 31 } });
    const { total, revisions } = await list('plain', 'limit=10');
    assert.deepEqual([total, revisions.map((revision) => 'sitting' in revision)], [2, [false, false]]);
  });
});
