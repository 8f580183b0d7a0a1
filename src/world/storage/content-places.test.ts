import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { systemClock } from '../../kit/clock.ts';
import { createSecretBox } from '../../kit/secret-box.ts';
import type { BlobPlace } from '../../platform/blobs/blobs.ts';
import { recordMigrations } from '../records/records.tables.ts';
import { putContentRow } from './content-place.store.ts';
import { type ContentPlaces, createContentPlaces } from './content-places.ts';
import { createSealedPlaces } from './sealed-place.ts';
import { type StorageDb, storageMigrations } from './storage.tables.ts';

const TENANT = 'local';
const ELSEWHERE: BlobPlace = { provider: 'local', path: '/elsewhere' };

forEachDatabase((_name, open) => {
  /** Content places as two processes see them, and a function that moves the content. */
  async function world(t: { after(end: () => Promise<void>): void }) {
    const opened = await open();
    t.after(opened.close);
    await opened.database.migrate([...recordMigrations, ...storageMigrations]);
    const sealed = createSealedPlaces(createSecretBox(randomBytes(32)));
    const placesOver = (database: typeof opened.database) =>
      createContentPlaces({ database, sealed, clock: systemClock });
    const arrive = (revision: string, place: BlobPlace | null) =>
      opened.database.tenant(TENANT).write((db: StorageDb) =>
        putContentRow(db, {
          tenant_id: TENANT,
          revision,
          place: place && sealed.seal(place, TENANT, 'storage_content'),
          frozen_until: 0,
        }),
      );
    return { one: placesOver(opened.database), other: placesOver(opened.again()), arrive };
  }

  /** A change that runs until it is released. */
  async function longChange(places: ContentPlaces) {
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const outcome = places
      .change(TENANT, async () => {
        begun.resolve();
        await end.promise;
      })
      .then(
        () => 'done',
        (error: Error & { code?: string }) => error.code,
      );
    await begun.promise;
    return { outcome, end: end.resolve };
  }

  test('a change that another process could not wait for is not acknowledged once the content is elsewhere', async (t) => {
    const { one, other, arrive } = await world(t);
    const change = await longChange(one);
    await other.freeze(TENANT);
    await arrive('moved', ELSEWHERE);
    change.end();
    assert.equal(await change.outcome, 'io');
    assert.equal(await one.change(TENANT, async ({ place }) => place?.provider), 'local');
  });

  test('it waits until it is known that the content stays, and counts where only the credentials are others', async (t) => {
    const { one, other, arrive } = await world(t);
    const change = await longChange(one);
    await other.freeze(TENANT);
    change.end();
    assert.equal(await Promise.race([change.outcome, other.keepFrozen(TENANT)]), undefined);
    await arrive('renewed', null);
    assert.equal(await change.outcome, 'done');
  });

  test('a move waits for the changes of its own process, and takes them along', async (t) => {
    const { one, arrive } = await world(t);
    const change = await longChange(one);
    const frozen = one.freeze(TENANT);
    change.end();
    assert.equal(await change.outcome, 'done');
    await frozen;
    await arrive('moved', ELSEWHERE);
  });
});
