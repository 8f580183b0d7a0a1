import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import type { Media } from '../../platform/media/media.ts';
import {
  ASSET_QUEUE,
  createAssetMeasuring,
  createEntryChanges,
  createFollower,
  createProcessedEvents,
  createSidecars,
} from '../assets/index.ts';
import { createTemplateRegistry } from '../definitions/index.ts';
import { modelsModule } from '../models/index.ts';
import { projectsModule } from '../projects/index.ts';
import { createAiSettings } from '../proposals/index.ts';
import { createTagJobs } from './asset-tags.jobs.ts';
import { createDecisions } from './decisions.service.ts';

export interface TagJobsContext extends Pick<CoreContext, 'images' | 'clock' | 'log' | 'database' | 'box'> {
  media: Media;
}

/** Suggests tags in the background. A worker of its own, so that measuring never waits for a model. */
export const assetTagJobsModule = defineModule({
  name: 'asset tag jobs',
  uses: { projects: projectsModule, models: modelsModule },
  create({ images, media, clock, log: parent, database, box }: TagJobsContext, { projects, models }) {
    const log = parent.child('worker');
    const templates = createTemplateRegistry({ clock, log: parent.child('templates') });
    const sidecars = createSidecars({ templates, clock });
    const entries = createEntryChanges({ sidecars, follower: createFollower({ sidecars, clock }), clock });
    const settings = createAiSettings({ database, box, clock });
    const handlers = createTagJobs({
      projects,
      models,
      images,
      decisions: createDecisions({ entries, clock }),
      measure: createAssetMeasuring({ images, media }),
      autoAccepts: async (project) => (await settings.get(project)).auto_accept.tags,
      clock,
    });
    const onEnded = createProcessedEvents({ projects, clock, log });
    return { jobs: [{ queue: ASSET_QUEUE, handlers, atOnce: 1, log, onEnded }] };
  },
});
