import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createTestClock, type TestClock } from '../../../test/support/auth.ts';
import { forEachDatabase, type OpenedDatabase } from '../../../test/support/databases.ts';
import { accessMigrations } from './access-changes.tables.ts';
import { createAccessChanges } from './index.ts';

const HOUR = 3_600_000;

forEachDatabase((_name, open) => {
  let opened: OpenedDatabase;
  let clock: TestClock;
  beforeEach(async () => {
    opened = await open();
    clock = createTestClock();
    await opened.database.migrate(accessMigrations);
  });
  afterEach(() => opened.close());

  const processOf = () => {
    const database = opened.again();
    const changes = createAccessChanges({ database, clock });
    const add = (id: string) => database.system.write((db) => changes.note(db, 'user', id));
    return { ...changes, database, add };
  };
  const idsOf = ({ changes }: { changes: { subject_id: string }[] }) =>
    changes.map(({ subject_id }) => subject_id);

  test('changes are read in order from a number on, by any process', async () => {
    const [one, other] = [processOf(), processOf()];
    assert.deepEqual(await other.since(0), { latest: 0, changes: [] });
    for (const id of ['ada', 'bo', 'cy']) await one.add(id);
    assert.deepEqual([await other.latest(), idsOf(await other.since(0))], [3, ['ada', 'bo', 'cy']]);
    assert.deepEqual(idsOf(await other.since(2)), ['cy']);
    assert.deepEqual(idsOf(await other.since(3)), []);
  });

  test('of many at once each gets a number, and a reader that goes on from the last misses none', async () => {
    const writers = Array.from({ length: 3 }, processOf);
    const reader = processOf();
    const names = Array.from({ length: 30 }, (_, index) => `user${index}`);
    const seen: number[] = [];
    let isOver = false;
    const read = async () => {
      const { changes } = await reader.since(seen.at(-1) ?? 0);
      seen.push(...changes.map(({ seq }) => seq));
    };
    const reading = (async () => {
      for (; !isOver; await turn()) await read();
    })();
    await Promise.all(names.map((name, index) => writers[index % 3]?.add(name)));
    isOver = true;
    await reading;
    await read();
    assert.deepEqual(
      seen,
      names.map((_, index) => index + 1),
    );
    assert.deepEqual(idsOf(await reader.since(0)).sort(), names.sort());
  });

  test('a transaction that fails leaves no change and no number', async () => {
    const { database, add, note, latest, since } = processOf();
    const failing = database.system.write(async (db) => {
      await note(db, 'tenant', 'lost');
      throw new Error('undone');
    });
    await assert.rejects(failing, /undone/);
    assert.equal(await latest(), 0);
    await add('kept');
    assert.deepEqual(idsOf(await since(0)), ['kept']);
  });

  test('a change is kept for an hour, and its number for ever', async () => {
    const { add, since, latest } = processOf();
    await add('old');
    clock.pass(HOUR);
    await add('young');
    assert.deepEqual(idsOf(await since(0)), ['old', 'young']);
    clock.pass(1);
    await add('new');
    assert.deepEqual([idsOf(await since(0)), await latest()], [['young', 'new'], 3]);
  });
});
