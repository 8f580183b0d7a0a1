import { type Clock, isoTime } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { JobEnded } from '../../platform/jobs/handlers.ts';
import type { Projects } from '../projects/index.ts';
import { logEvent } from '../records/index.ts';
import { assetProcessed } from './asset.events.ts';
import { findLiveAsset } from './asset-rows.store.ts';
import type { AssetDb } from './assets.tables.ts';

export interface ProcessedEventsOptions {
  projects: Projects;
  clock: Clock;
  log: Log;
}

/** Publishes the end of work on an asset (spec 2 §6.3), unless the asset is gone by then. */
export const createProcessedEvents =
  ({ projects, clock, log }: ProcessedEventsOptions): JobEnded =>
  async ({ tenantId, projectId, kind, subject }, outcome) => {
    try {
      await projects.use(tenantId, projectId, async (project) => {
        const row = await project.database.read((db: AssetDb) => findLiveAsset(db, project, subject));
        if (!row) return;
        await logEvent(project, assetProcessed, {
          asset_id: subject,
          entity_type: row.entity_type,
          entity_id: row.entity_id,
          processing_type: kind,
          status: outcome === 'done' ? 'completed' : 'failed',
          timestamp: isoTime(clock.now()),
        });
      });
    } catch (error) {
      log.warn(`nobody was told that ${kind} of ${subject} has ended: ${messageOf(error)}`);
    }
  };
