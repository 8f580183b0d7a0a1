import type { DriveSync } from '../drive-sync.ts';

/** Nothing is synced yet. */
export const createDriveSync = (): DriveSync => ({
  force: async () => ({ entities_created: 0, entities_updated: 0, entities_deleted: 0, assets_synced: 0 }),
  hint: async () => {},
  status: async () => null,
  connected: async () => {},
  disconnected: async () => {},
});
