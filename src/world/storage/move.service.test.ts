import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { createTestLog } from '../../../test/support/test-log.ts';
import { until } from '../../../test/support/until.ts';
import { systemClock } from '../../kit/clock.ts';
import { createSecretBox } from '../../kit/secret-box.ts';
import type { BlobPlace } from '../../platform/blobs/blobs.ts';
import { recordMigrations } from '../records/records.tables.ts';
import { createContentPlaces } from './content-places.ts';
import { createMoves } from './move.service.ts';
import { createSealedPlaces } from './sealed-place.ts';
import { storageMigrations } from './storage.tables.ts';

const TENANT = 'local';
const AN_HOUR = 3_600_000;
const ELSEWHERE: BlobPlace = { provider: 'local', path: '/elsewhere' };

forEachDatabase((_name, open) => {
  test('another move begins at once, however long the one before it would have waited', async (t) => {
    const opened = await open();
    t.after(opened.close);
    const { database } = opened;
    await database.migrate([...recordMigrations, ...storageMigrations]);
    const sealed = createSealedPlaces(createSecretBox(randomBytes(32)));
    const places = createContentPlaces({ database, sealed, clock: systemClock });
    let tries = 0;
    const freeze = async () => {
      tries += 1;
      throw new Error('nothing answers there');
    };
    const moves = createMoves({
      database,
      sealed,
      places: { ...places, freeze },
      settings: {
        current: async () => ({ place: ELSEWHERE, revision: '1', updatedAt: '', updatedBy: '' }),
      },
      contentAt: () => Promise.reject(new Error('there is no project')),
      clock: systemClock,
      log: createTestLog().log,
      firstPauseMs: AN_HOUR,
    });
    t.after(moves.stop);
    await moves.start(TENANT, 'somebody');
    await until(async () => (await moves.last(TENANT)).problem === 'nothing answers there');
    assert.equal(tries, 1);
    await moves.cancel(TENANT);
    const { move_id } = await moves.start(TENANT, 'somebody');
    await until(async () => (await moves.last(TENANT)).problem === 'nothing answers there');
    assert.deepEqual([tries, (await moves.last(TENANT)).move_id], [2, move_id]);
  });
});
