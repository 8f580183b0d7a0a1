import { namedAssets, placesOf } from '../../content/assets/index.ts';
import type { Clock } from '../../kit/clock.ts';
import { createPauses } from '../../kit/pauses.ts';
import { findFiles, type Project, rowIdOf } from '../records/index.ts';
import type { AssetDb } from './assets.tables.ts';
import type { Follower } from './follow.ts';
import { pageOfEntities } from './missing.store.ts';

const WINDOW = 200;
/** Milliseconds after which a search returns its results so far and a cursor. */
const LONGEST_MS = 2_000;

export interface MissingAsset {
  entity_type: string;
  entity_id: string;
  field: string;
  path: string;
}

export function createMissing({ follower, clock }: { follower: Follower; clock: Clock }) {
  type EntityPage = Awaited<ReturnType<typeof pageOfEntities>>;

  async function missingIn(project: Project, rows: EntityPage): Promise<MissingAsset[]> {
    const named = rows.flatMap(({ entity_type, entity_id, path, json }) => {
      const { primary_asset, fields } = JSON.parse(json) as { primary_asset: unknown; fields: unknown };
      const folder = path.slice(0, path.lastIndexOf('/'));
      return [...namedAssets(primary_asset, 'primary_asset'), ...namedAssets(fields)].map(
        ({ field, value }) => ({
          entity_type,
          entity_id,
          field,
          path: value,
          places: placesOf(value, folder),
        }),
      );
    });
    const places = [...new Set(named.flatMap((each) => each.places))];
    const there = new Set<string>();
    for (let at = 0; at < places.length; at += 1_000) {
      const part = places.slice(at, at + 1_000);
      const files = await project.database.read((db: AssetDb) => findFiles(db, project, part));
      for (const file of files.values()) if (file.deleted_at === null) there.add(file.path);
    }
    return named
      .filter((each) => !each.places.some((place) => there.has(place)))
      .map(({ places: _, ...each }) => each);
  }

  return async (project: Project, { after, limit }: { after: number | null; limit: number }) => {
    await follower.follow(project);
    const pause = createPauses();
    const until = clock.now() + LONGEST_MS;
    const missing: MissingAsset[] = [];
    let last = after ?? rowIdOf(project.number, 0);
    const end = rowIdOf(project.number + 1, 0);
    for (;;) {
      const rows = last >= end ? [] : await pageOfEntities(project, last, WINDOW);
      missing.push(...(await missingIn(project, rows)));
      last = rows.at(-1)?.row_id ?? last;
      if (rows.length < WINDOW) return { missing, next: null };
      if (missing.length >= limit || clock.now() > until) return { missing, next: last };
      await pause();
    }
  };
}

export type FindMissing = ReturnType<typeof createMissing>;
