import { similarGroups } from '../../content/assets/index.ts';
import { createPauses } from '../../kit/pauses.ts';
import { type Project, pages } from '../records/index.ts';
import type { AssetDb } from './assets.tables.ts';
import {
  type AssetBrief,
  assetsWith,
  countRepeatedHashes,
  countUnmeasured,
  perceptualHashes,
  repeatedHashes,
} from './duplicates.store.ts';
import type { Follower } from './follow.ts';

/** The hash of all pictures of one colour, which says nothing about likeness. Every other hash sorts after it. */
const FLAT = '0'.repeat(16);
const NAMED = 50;

const presentBrief = ({ asset_id, path, sha256, size_bytes, width, height }: AssetBrief) => ({
  ...{ id: asset_id, path, checksum_sha256: sha256, size_bytes, width, height },
});

export interface DuplicatesQuery {
  /** Bits in which the perceptual hashes of similar pictures may differ. */
  distance: number;
  offset: number;
  limit: number;
}

/** Finds identical bytes and pictures that look alike (spec 1 §4.5). */
export function createDuplicates(follower: Follower) {
  async function exact(project: Project, { offset, limit }: DuplicatesQuery) {
    return project.database.read(async (db: AssetDb) => {
      const hashes = await repeatedHashes(db, project, offset, limit);
      const assets = await assetsWith(
        db,
        project,
        'sha256',
        hashes.map(({ sha256 }) => sha256),
      );
      const bySha = Map.groupBy(assets, ({ sha256 }) => sha256);
      return {
        exact_total: await countRepeatedHashes(db, project),
        exact: hashes.map(({ sha256, count, size_bytes }) => ({
          checksum_sha256: sha256,
          count,
          wasted_bytes: (count - 1) * size_bytes,
          assets: (bySha.get(sha256) ?? []).slice(0, NAMED).map(presentBrief),
        })),
      };
    });
  }

  /** All perceptual hashes of the project, and those that several contents share. */
  async function allHashes(project: Project): Promise<{ hashes: string[]; shared: string[] }> {
    const hashes: string[] = [];
    const shared: string[] = [];
    const read = (after: string, limit: number) =>
      project.database.read((db: AssetDb) => perceptualHashes(db, project, after, limit));
    const pause = createPauses();
    for await (const rows of pages(FLAT, read, (row) => row.perceptual_hash)) {
      for (const { perceptual_hash, contents } of rows) {
        hashes.push(perceptual_hash);
        if (contents > 1) shared.push(perceptual_hash);
      }
      await pause();
    }
    return { hashes, shared };
  }

  async function similar(project: Project, { distance, offset, limit }: DuplicatesQuery) {
    const { hashes, shared } = await allHashes(project);
    const groups = await similarGroups(hashes, distance, createPauses());
    const grouped = new Set(groups.flat());
    const all = [...groups, ...shared.filter((hash) => !grouped.has(hash)).map((hash) => [hash])];
    const page = all.slice(offset, offset + limit);
    const assets = await project.database.read((db: AssetDb) =>
      assetsWith(db, project, 'perceptual_hash', page.flat().slice(0, 5_000)),
    );
    const byHash = Map.groupBy(assets, ({ perceptual_hash }) => perceptual_hash ?? '');
    return {
      similar_total: all.length,
      similar: page.map((group) => {
        const members = group.flatMap((hash) => byHash.get(hash) ?? []);
        return { count: members.length, assets: members.slice(0, NAMED).map(presentBrief) };
      }),
    };
  }

  return async (project: Project, query: DuplicatesQuery) => {
    await follower.follow(project);
    const pending = await project.database.read((db: AssetDb) => countUnmeasured(db, project));
    const { offset, limit, distance } = query;
    return {
      ...{ offset, limit, distance, pending },
      ...(await exact(project, query)),
      ...(await similar(project, query)),
    };
  };
}

export type FindDuplicates = ReturnType<typeof createDuplicates>;
