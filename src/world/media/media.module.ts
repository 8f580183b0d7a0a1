import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { messageOf } from '../../kit/errors.ts';
import type { FileStore } from '../../platform/files/files.ts';
import type { Sounds } from '../../platform/media/sounds.ts';
import { assetsModule } from '../assets/index.ts';
import { mirrorModule } from '../mirror/index.ts';
import { projectsModule } from '../projects/index.ts';
import { createAssetBytes } from './asset-bytes.ts';
import { createMadeFiles } from './made-files.ts';
import { previewRoutes } from './previews.routes.ts';
import { createPreviews } from './previews.service.ts';
import { thumbnailRoutes } from './thumbnails.routes.ts';
import { createThumbnails } from './thumbnails.service.ts';
import { waveformRoutes } from './waveforms.routes.ts';
import { createWaveforms } from './waveforms.service.ts';

export interface MediaContext extends CoreContext {
  sounds: Sounds;
  /** The store of derived files. */
  thumbnailFiles: FileStore;
}

/** Pictures and waveforms of assets (spec 1 §4.5). */
export const mediaModule = defineModule({
  name: 'media',
  uses: { projects: projectsModule, assets: assetsModule, mirror: mirrorModule },
  create(context: MediaContext, { projects, assets: { assets, addresses }, mirror }) {
    const { images, sounds, database, thumbnailFiles, holdBytes, clock } = context;
    const log = context.log.child('media');
    const made = createMadeFiles({ files: thumbnailFiles, locks: database, holdBytes, clock });
    const assetBytes = createAssetBytes({ assets, mirror });
    const waveforms = createWaveforms({ assetBytes, sounds, made });
    const thumbnails = createThumbnails({ assetBytes, images, made, addresses });
    return {
      routes: [
        ...thumbnailRoutes({ projects, thumbnails }),
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
  },
});
