import {
  type AssetRelationship,
  type AssetStatus,
  type EntryChange,
  isAssetId,
  MOST_ITEMS,
  NEXT_STATUSES,
  sidecarPath,
} from '../../content/assets/index.ts';
import { searchTokens } from '../../content/search-text.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict, invalid, notFound } from '../../kit/errors.ts';
import type { Entities } from '../entities/index.ts';
import type { Mirror } from '../mirror/index.ts';
import type { Project } from '../records/index.ts';
import type { Addresses } from './addresses.ts';
import { type AssetFilter, type AssetPage, countAssets, listAssets } from './asset-list.store.ts';
import { keyOf } from './asset-row.ts';
import {
  findAssetsBy,
  findLiveAsset,
  listRelationships,
  listRelationshipsTo,
  listVersions,
  putVersionAuthor,
} from './asset-rows.store.ts';
import type { AssetDb, AssetRow } from './assets.tables.ts';
import { type ChangeOfEntry, type EntryChanges, findAsset } from './entry-changes.ts';
import type { Follower } from './follow.ts';
import { type PresentedAsset, presentAsset } from './present-asset.ts';
import type { Sidecars } from './sidecars.ts';

/** Incoming relationships per reply. */
const MOST_INCOMING = 200;

export interface AssetsOptions {
  entities: Entities;
  mirror: Mirror;
  sidecars: Sidecars;
  entries: EntryChanges;
  follower: Follower;
  addresses: Addresses;
  clock: Clock;
}

export type AssetDescription = Omit<
  NonNullable<EntryChange>,
  'relationships' | 'created_at' | 'created_by' | 'updated_at'
>;

/** The words of a search, folded as in the rows. */
export const wordsOf = (search: string | undefined): string[] =>
  search === undefined ? [] : searchTokens(search);

/** Spec 1 §4.5. */
export function createAssets(options: AssetsOptions) {
  const { entities, mirror, sidecars, entries, follower, addresses, clock } = options;

  async function present(project: Project, rows: readonly AssetRow[]): Promise<PresentedAsset[]> {
    const replaced = rows.filter((row) => row.version > 1).map((row) => row.asset_id);
    const versions = await project.database.read((db: AssetDb) => listVersions(db, project, replaced));
    return rows.map((row) =>
      presentAsset(
        row,
        versions.filter((version) => version.asset_id === row.asset_id),
        addresses(project, `/api/files/${row.path}`),
      ),
    );
  }

  async function get(project: Project, assetId: string): Promise<PresentedAsset> {
    await follower.follow(project);
    const [asset] = await present(project, [await findAsset(project, assetId)]);
    if (asset === undefined) throw new Error('an asset is presented as one');
    return asset;
  }

  const changeEntry = async (
    project: Project,
    assetId: string,
    change: ChangeOfEntry,
  ): Promise<PresentedAsset> => get(project, await entries.change(project, assetId, change));

  async function isDescribed(project: Project, row: AssetRow): Promise<boolean> {
    const loaded = await sidecars.load(project, row.home);
    return loaded.state === 'read' && loaded.sidecar.entries.has(keyOf(row));
  }

  async function requireFreeId(project: Project, id: string | undefined): Promise<void> {
    if (id === undefined) return;
    if (!isAssetId(id))
      throw invalid(`The id '${id}' is reserved for a route: choose another`, {
        code: 'invalid_id',
        errors: [{ field: 'id', message: 'is reserved' }],
      });
    const holder = await project.database.read((db: AssetDb) => findLiveAsset(db, project, id));
    if (holder) throw conflict(`The id '${id}' is that of ${holder.path}`, { code: 'id_in_use' });
  }

  /** Throws 404 for a missing target: a relationship to nothing is a mistake. */
  async function requireTarget(
    project: Project,
    { target_type, target_id }: AssetRelationship,
  ): Promise<void> {
    if (target_type === 'asset') {
      await findAsset(project, target_id);
      return;
    }
    const [type = '', id = '', ...rest] = target_id.split(':');
    if (id === '' || rest.length > 0)
      throw invalid(`target_id '${target_id}' must name an entity as type:id`, {
        code: 'invalid_target',
        errors: [{ field: 'target_id', message: 'must be type:id' }],
      });
    await entities.findRow(project, type, id);
  }

  async function relationships(project: Project, assetId: string) {
    await follower.follow(project);
    const row = await findAsset(project, assetId);
    return project.database.read(async (db: AssetDb) => {
      const own = await listRelationships(db, project, [row.asset_id]);
      const target = { target_type: 'asset' as const, target_id: row.asset_id };
      const incoming = await listRelationshipsTo(db, project, target, MOST_INCOMING);
      return {
        asset_id: row.asset_id,
        relationships: own.map(({ target_type, target_id, relationship_type }) => ({
          target_type,
          target_id,
          relationship_type,
        })),
        incoming: incoming.map(({ asset_id, relationship_type }) => ({ asset_id, relationship_type })),
      };
    });
  }

  return {
    get,
    /** Describes the asset that was just written to a path; `author` is the author of its bytes. */
    async describeWritten(
      project: Project,
      path: string,
      entry: NonNullable<EntryChange>,
      author: string | null,
    ): Promise<PresentedAsset> {
      await follower.follow(project);
      const [row] = await project.database.read((db: AssetDb) => findAssetsBy(db, project, 'path', [path]));
      if (row === undefined) throw notFound(`The file at '${path}' is gone again`, { code: 'no_such_file' });
      return changeEntry(project, row.asset_id, async (current) => {
        await project.database.write((db: AssetDb) => putVersionAuthor(db, project, current, author));
        return entry;
      });
    },
    relationships,
    /** Returns the hashes that some asset's bytes have, including deleted files while their rows are kept. */
    async knownHashes(project: Project, hashes: readonly string[]): Promise<ReadonlySet<string>> {
      await follower.follow(project);
      const rows = await project.database.read((db: AssetDb) => findAssetsBy(db, project, 'sha256', hashes));
      return new Set(rows.map(({ sha256 }) => sha256));
    },
    async idsByHash(project: Project, hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
      await follower.follow(project);
      const rows = await project.database.read((db: AssetDb) => findAssetsBy(db, project, 'sha256', hashes));
      const live = rows.filter(({ gone_at }) => gone_at === null);
      return new Map(live.map(({ sha256, asset_id }) => [sha256, asset_id]));
    },
    async pathByHash(project: Project, sha256: string): Promise<string | undefined> {
      await follower.follow(project);
      const rows = await project.database.read((db: AssetDb) =>
        findAssetsBy(db, project, 'sha256', [sha256]),
      );
      return rows.find(({ gone_at }) => gone_at === null)?.path;
    },
    async idAt(project: Project, path: string): Promise<string | undefined> {
      await follower.follow(project);
      const rows = await project.database.read((db: AssetDb) => findAssetsBy(db, project, 'path', [path]));
      return rows.find(({ gone_at }) => gone_at === null)?.asset_id;
    },
    async list(project: Project, filter: AssetFilter, page: AssetPage) {
      await follower.follow(project);
      const { dialect } = project.database;
      const { total, rows } = await project.database.read(async (db: AssetDb) => ({
        total: await countAssets(db, dialect, project, filter),
        rows: await listAssets(db, dialect, project, filter, page),
      }));
      return { total, offset: page.offset, limit: page.limit, assets: await present(project, rows) };
    },

    update: (project: Project, assetId: string, entry: AssetDescription) =>
      changeEntry(project, assetId, () => entry),

    setStatus: (project: Project, assetId: string, status: AssetStatus) =>
      changeEntry(project, assetId, (row) => {
        if (row.status === status) return null;
        const next = NEXT_STATUSES[row.status];
        if (!next.includes(status))
          throw conflict(`An asset that is ${row.status} can become ${next.join(' or ')}, not ${status}`, {
            code: 'invalid_transition',
          });
        return { status };
      }),

    async relate(project: Project, assetId: string, relationship: AssetRelationship) {
      await changeEntry(project, assetId, async (row) => {
        await requireTarget(project, relationship);
        const present = await project.database.read((db: AssetDb) =>
          listRelationships(db, project, [row.asset_id]),
        );
        const plain = present.map(({ target_type, target_id, relationship_type }) => ({
          target_type,
          target_id,
          relationship_type,
        }));
        if (plain.some((each) => isSame(each, relationship))) return null;
        if (plain.length >= MOST_ITEMS)
          throw conflict(`An asset can have ${MOST_ITEMS} relationships`, { code: 'too_many' });
        return { relationships: [...plain, relationship] };
      });
      return relationships(project, assetId);
    },

    /** Describes a file in the folder. 404 if it does not exist, 409 if it already has a description. */
    async describe(
      project: Project,
      path: string,
      entry: AssetDescription,
      actor: string,
    ): Promise<PresentedAsset> {
      await mirror.sync(project, { kind: 'paths', paths: [path] });
      await follower.follow(project);
      const [row] = await project.database.read((db: AssetDb) => findAssetsBy(db, project, 'path', [path]));
      if (row === undefined || row.gone_at !== null)
        throw notFound(`There is no asset at '${path}': upload it, or put it into the content folder first`, {
          code: 'no_such_file',
        });
      return changeEntry(project, row.asset_id, async (current) => {
        if (await isDescribed(project, current))
          throw conflict(`${path} is described already in ${sidecarPath(current.home)}: change it with PUT`, {
            code: 'asset_exists',
          });
        await requireFreeId(project, entry.id ?? undefined);
        const at = isoTime(clock.now());
        return { id: current.asset_id, ...entry, created_at: at, created_by: actor };
      });
    },
  };
}

export type Assets = ReturnType<typeof createAssets>;

const isSame = (one: AssetRelationship, other: AssetRelationship): boolean =>
  one.target_type === other.target_type &&
  one.target_id === other.target_id &&
  one.relationship_type === other.relationship_type;
