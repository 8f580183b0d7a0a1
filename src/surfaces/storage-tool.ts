import { assemble } from '../frame/assemble.ts';
import type { ServiceOf } from '../frame/module.ts';
import { systemClock } from '../kit/clock.ts';
import type { Config } from '../kit/config/index.ts';
import type { Log } from '../kit/log.ts';
import { createSecretBox } from '../kit/secret-box.ts';
import type { Database } from '../platform/database/database.ts';
import { storageModule } from '../world/storage/index.ts';
import { blobOpener, localStorage } from './blobs.ts';
import { type ContentStorage, createContentStorage } from './content-storage.ts';
import { openProjectFolders } from './platform.ts';

export interface StorageTool extends Pick<ServiceOf<typeof storageModule>, 'settings' | 'moves'> {
  places: ContentStorage['places'];
  close(): Promise<void>;
}

/** The storage of a self-hosted installation without the rest of its core, for a one-off command. */
export function openStorageTool(config: Config, database: Database, log: Log): StorageTool {
  const content = createContentStorage({
    database,
    clock: systemClock,
    config,
    box: createSecretBox(config.encryptionKey),
    folders: openProjectFolders(config),
  });
  const { places } = content;
  const storage = assemble(
    {
      database,
      clock: systemClock,
      log,
      contentStorage: content,
      localStorage: localStorage(config),
      openBlobs: blobOpener(config),
    },
    [storageModule],
  );
  const { settings, moves } = storage.service(storageModule);
  return {
    settings,
    moves,
    places,
    async close() {
      for (const { stop } of storage.modules) await stop?.();
      await content.close();
    },
  };
}
