import type { Module } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { HoldBytes } from '../../kit/work-budget.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/files.ts';
import type { Images } from '../../platform/images/images.ts';
import type { Sounds } from '../../platform/media/sounds.ts';
import type { Addresses } from '../assets/addresses.ts';
import type { Assets } from '../assets/assets.service.ts';
import type { Mirror } from '../mirror/mirror.service.ts';
import type { Projects } from '../projects/projects.service.ts';
import { createAssetBytes } from './asset-bytes.ts';
import { createMadeFiles } from './made-files.ts';
import { previewRoutes } from './previews.routes.ts';
import { createPreviews } from './previews.service.ts';
import { thumbnailRoutes } from './thumbnails.routes.ts';
import { createThumbnails } from './thumbnails.service.ts';
import { waveformRoutes } from './waveforms.routes.ts';
import { createWaveforms } from './waveforms.service.ts';

export interface MediaModuleOptions {
  projects: Projects;
  assets: Assets;
  addresses: Addresses;
  mirror: Mirror;
  images: Images;
  sounds: Sounds;
  database: Database;
  /** Where lies what is made of assets. */
  files: FileStore;
  holdBytes: HoldBytes;
  clock: Clock;
  log: Log;
}

/** What is made of assets' bytes to look at and listen to (spec 1 §4.5). */
export function createMediaModule(options: MediaModuleOptions): Module {
  const { projects, assets, addresses, mirror, images, sounds, database, files, holdBytes, clock, log } =
    options;
  const made = createMadeFiles({ files, locks: database, holdBytes, clock });
  const assetBytes = createAssetBytes({ assets, mirror });
  const waveforms = createWaveforms({ assetBytes, sounds, made });
  return {
    name: 'media',
    routes: [
      ...thumbnailRoutes({ projects, thumbnails: createThumbnails({ assetBytes, images, made, addresses }) }),
      ...waveformRoutes({ projects, waveforms }),
      ...previewRoutes({ projects, previews: createPreviews({ assetBytes, images, waveforms, made }) }),
    ],
    async start() {
      mirror.onSynced((project) =>
        made
          .sweep(project, (hashes) => assets.knownHashes(project, hashes))
          .catch((error: unknown) => log.warn(`old thumbnails could not be removed: ${messageOf(error)}`)),
      );
    },
  };
}
