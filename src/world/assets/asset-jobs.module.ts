import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import type { Media } from '../../platform/media/media.ts';
import { projectsModule } from '../projects/index.ts';
import { createProcessedEvents } from './announce-processed.ts';
import { ASSET_QUEUE, createAssetJobs } from './assets.jobs.ts';

export interface AssetJobsContext extends Pick<CoreContext, 'images' | 'clock' | 'log'> {
  media: Media;
  assetJobsAtOnce: number;
}

/** Background jobs on assets, in a core or in a process of their own. */
export const assetJobsModule = defineModule({
  name: 'asset jobs',
  uses: { projects: projectsModule },
  create({ images, media, clock, log: parent, assetJobsAtOnce }: AssetJobsContext, { projects }) {
    const log = parent.child('worker');
    return {
      jobs: [
        {
          queue: ASSET_QUEUE,
          handlers: createAssetJobs({ projects, images, media }),
          atOnce: assetJobsAtOnce,
          log,
          onEnded: createProcessedEvents({ projects, clock, log }),
        },
      ],
    };
  },
});
