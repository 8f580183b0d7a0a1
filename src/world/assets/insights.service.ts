import { messageOf, notFound } from '../../kit/errors.ts';
import type { Images } from '../../platform/images/images.ts';
import type { Entities } from '../entities/index.ts';
import { incomingEdges, lastSequence, type Project } from '../records/index.ts';
import { type AssetGroup, countAssets, groupAssets } from './asset-list.store.ts';
import type { Assets } from './assets.service.ts';
import type { AssetDb } from './assets.tables.ts';
import type { Follower } from './follow.ts';

/** Entities counted per brand, of those that refer to it. */
const MOST_REFERRERS = 2_000;

/** One white pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQI12P4//8/AAX+Av7czFnnAAAAAElFTkSuQmCC',
  'base64',
);

export interface InsightsOptions {
  assets: Assets;
  entities: Entities;
  follower: Follower;
  images: Images;
}

/** Statistics over all assets of a project. */
export function createInsights({ assets, entities, follower, images }: InsightsOptions) {
  return {
    async ofBrand(project: Project, brandId: string, page: { offset: number; limit: number }) {
      const brand = await entities.findRow(project, 'brand', brandId).catch(() => {
        throw notFound(`There is no brand '${brandId}'`, { code: 'no_such_entity' });
      });
      const edges = await project.database.read((db: AssetDb) =>
        incomingEdges(db, project, brand, { after: null, limit: MOST_REFERRERS }),
      );
      return assets.list(project, { of: [brand, ...edges] }, { sort: 'path', order: 'asc', ...page });
    },

    async overview(project: Project) {
      await follower.follow(project);
      const { dialect } = project.database;
      return project.database.read(async (db: AssetDb) => {
        const byKind = await groupAssets(db, project, 'kind');
        const total = sum(byKind, 'count');
        const linked = await countAssets(db, dialect, project, { linked: true });
        return {
          ...{ total, total_bytes: sum(byKind, 'bytes'), linked, unlinked: total - linked },
          by_kind: byKind,
          by_status: await groupAssets(db, project, 'status'),
          by_entity_type: await groupAssets(db, project, 'entity_type'),
          by_category: await groupAssets(db, project, 'category'),
        };
      });
    },

    async selfTest(project: Project) {
      const checks = await Promise.all([
        check('folder', () => project.files.list('')),
        check('database', () => project.database.read((db: AssetDb) => lastSequence(db, project))),
        check('pictures', () => images.measure(PIXEL)),
      ]);
      return { status: checks.every(({ ok }) => ok) ? ('ok' as const) : ('failed' as const), checks };
    },
  };
}

export type Insights = ReturnType<typeof createInsights>;

const sum = (groups: readonly AssetGroup[], column: 'count' | 'bytes'): number =>
  groups.reduce((total, group) => total + group[column], 0);

const check = (name: string, work: () => Promise<unknown>) =>
  work().then(
    () => ({ name, ok: true, detail: null }),
    (error: unknown) => ({ name, ok: false, detail: messageOf(error) }),
  );
