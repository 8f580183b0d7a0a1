import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { recordMigrations } from '../../world/records/index.ts';
import { findState } from './state.store.ts';
import { type SyncDb, syncMigrations } from './sync.tables.ts';

forEachDatabase((_name, open) => {
  test('a project that was synced before goes on from the change it had come to', async () => {
    const opened = await open();
    try {
      const { database } = opened;
      const tenant = database.tenant('local');
      const feedAt = syncMigrations.findIndex(({ name }) => name === 'cloud-sync-7-feed-cursor');
      await database.migrate([...recordMigrations, ...syncMigrations.slice(0, feedAt)]);
      await tenant.write((db: SyncDb) =>
        sql`
          insert into cloud_sync_projects (tenant_id, project_id, cloud_url, periodic, local_seq)
          values ('local', 'p', 'https://cloud.example.com', 1, 41)`.execute(db),
      );
      await database.migrate([...recordMigrations, ...syncMigrations]);
      const { rows } = await tenant.read((db: SyncDb) => sql`select * from feed_cursors`.execute(db));
      const state = await tenant.read((db: SyncDb) =>
        findState(db, { tenantId: 'local', projectId: 'p', replica: 'cloud' }),
      );
      assert.equal(state?.address, 'https://cloud.example.com');
      assert.deepEqual(rows, [{ tenant_id: 'local', project_id: 'p', reader: 'sync cloud', seq: 41 }]);
    } finally {
      await opened.close();
    }
  });
});
