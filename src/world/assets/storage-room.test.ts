import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AssetWorld, startAssetWorld } from '../../../test/support/asset-files.ts';
import { createTestClock } from '../../../test/support/auth.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { DatabaseError } from '../../platform/database/database.ts';
import type { Project } from '../records/scope.ts';
import type { HeldRoom } from '../records/storage-room.ts';
import type { AssetDb } from './assets.tables.ts';
import { noteFile } from './note-file.ts';
import { createStorageRoom } from './storage-room.ts';

const SIZE = 1_000;
const LIMIT = 7 * SIZE;
const HOUR_MS = 3_600_000;

forEachDatabase((_name, open) => {
  let world: AssetWorld;
  let project: Project;
  const clock = createTestClock();
  const room = createStorageRoom(() => LIMIT, clock);
  before(async () => {
    world = await startAssetWorld({ open });
    const [opened] = world.core.projects.opened();
    assert.ok(opened);
    project = opened;
  });
  after(() => world.close());

  const hold = () => room.hold(project, 'indie', SIZE);
  const isFull = () => assert.rejects(hold, { status: 402 });

  /** The last step of an upload, once its file is written. */
  const store = (held: HeldRoom, index: number) =>
    project.database.write(async (db: AssetDb) => {
      const stat = { path: `Assets/cover_${index}.png`, size: SIZE, mtimeMs: 1, ctimeMs: 1, ino: index };
      const file = { stat, sha256: String(index).padStart(64, '0'), mediaType: 'image/png' };
      await noteFile(db, project, { byFolder: new Map() }, file, '2026-03-01T10:00:00.000Z');
      await held.settle(db);
    });

  test('of 20 who ask for room at once as many get it as there is room for, and it is theirs once', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 20 }, hold));
    const held = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    assert.equal(held.length, 7);
    const [first, ...others] = held;
    assert.ok(first);
    await Promise.all(others.map(store));
    await isFull();
    await first.release();
    const again = await hold();
    await isFull();
    clock.pass(HOUR_MS + 1);
    await (await hold()).release();
    await again.release();
  });

  test('room that cannot be given back yet is no failure of what it was held for', async () => {
    let isAway = false;
    const { database } = project;
    const write: typeof database.write = (...asked) =>
      isAway
        ? Promise.reject(new DatabaseError('unavailable', 'The database does not answer'))
        : database.write(...asked);
    const held = await room.hold({ ...project, database: { ...database, write } }, 'indie', SIZE);
    isAway = true;
    await held.release();
    clock.pass(HOUR_MS + 1);
    await (await hold()).release();
  });
});
