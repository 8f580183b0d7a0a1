import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { assetsModule } from '../assets/index.ts';
import { projectsModule } from '../projects/index.ts';
import { assetQueueRoutes } from './asset-queue.routes.ts';
import { createAssetQueue } from './asset-queue.service.ts';

/** The queue of background jobs on assets: status, pause and retry (spec 1 §4.5). */
export const assetQueueModule = defineModule({
  name: 'asset-queue',
  tags: {
    'Asset queue': 'What is done for assets behind the requests: how far it is, pause and resume, once more.',
  },
  uses: { projects: projectsModule, assets: assetsModule },
  create: ({ jobs, clock, llms, log }: CoreContext, { projects, assets: { rescans } }) => ({
    routes: assetQueueRoutes({ projects, rescans, queue: createAssetQueue({ jobs, clock }), llms, log }),
  }),
});
