import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import type { Media } from '../../platform/media/media.ts';
import { assetsModule, createAssetMeasuring } from '../assets/index.ts';
import { modelsModule } from '../models/index.ts';
import { projectsModule } from '../projects/index.ts';
import { tagRoutes } from './asset-tags.routes.ts';
import { tagMigrations } from './asset-tags.tables.ts';
import { createTagRuns } from './begin-run.service.ts';
import { createDecisions } from './decisions.service.ts';

/** Suggests tags for assets, by a model or without, and writes those that are accepted (spec 1 §4.5). */
export const assetTagsModule = defineModule({
  name: 'asset-tags',
  uses: { projects: projectsModule, assets: assetsModule, models: modelsModule },
  tables: tagMigrations,
  create(
    { jobs, images, media, clock }: CoreContext & { media: Media },
    { projects, models, assets: { follow, entries } },
  ) {
    const measure = createAssetMeasuring({ images, media });
    const runs = createTagRuns({ models, images, jobs, clock, measure, follow });
    const decisions = createDecisions({ entries, clock });
    return { routes: tagRoutes({ projects, runs, decisions }) };
  },
});
