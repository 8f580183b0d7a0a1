import {
  type AssetEntry,
  categoriesOf,
  derivedAssetId,
  homeOf,
  keyInHome,
  kindOf,
} from '../../content/assets/index.ts';
import { searchableText } from '../../content/search-text.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import { nameOf } from '../../text/paths.ts';
import type { FileRow } from '../records/index.ts';
import type { AssetRelationshipRow, AssetRow, AssetVersionRow } from './assets.tables.ts';

const later = (one: string, other: string | undefined): string => (other && other > one ? other : one);

/** The id derived from a path; `attempt` is above 1 if another asset already has the former ones. */
export const pathId = (path: string, attempt = 1): string =>
  derivedAssetId(path, sha256Hex(attempt === 1 ? path : `${path}#${attempt}`));

type FileColumns = Omit<AssetRow, keyof EntryColumns>;
type EntryColumns = Pick<
  AssetRow,
  | 'asset_id'
  | 'category'
  | 'subcategory'
  | 'status'
  | 'tags'
  | 'keywords'
  | 'description'
  | 'license'
  | 'source'
  | 'ai_generated'
  | 'created_at'
  | 'created_by'
  | 'updated_at'
  | 'search_text'
>;

/** The columns that come from the file. `before` is the asset's former row, which may have another path. */
function fileColumns(file: FileRow, before: AssetRow | undefined): FileColumns {
  const isSame = before?.sha256 === file.sha256;
  const mimeType = file.media_type ?? 'application/octet-stream';
  return {
    tenant_id: file.tenant_id,
    project_id: file.project_id,
    path: file.path,
    home: homeOf(file),
    filename: nameOf(file.path),
    mime_type: mimeType,
    kind: kindOf(mimeType),
    size_bytes: file.size,
    sha256: file.sha256,
    entity_type: file.entity_type,
    entity_id: file.entity_id,
    version: before === undefined ? 1 : before.version + (isSame ? 0 : 1),
    version_at: isSame ? before.version_at : file.changed_at,
    version_by: isSame ? before.version_by : null,
    width: isSame ? before.width : null,
    height: isSame ? before.height : null,
    duration: isSame ? before.duration : null,
    perceptual_hash: isSame ? before.perceptual_hash : null,
    placeholder: isSame ? before.placeholder : null,
    media_facts: isSame ? before.media_facts : null,
    measured: isSame ? before.measured : null,
    gone_at: null,
  };
}

function entryColumns(
  place: FileColumns,
  entry: AssetEntry,
  assetId: string,
  firstSeen: string,
): EntryColumns {
  const { tags = [], keywords = [], description = null, license = null, source = null } = entry;
  const folders = categoriesOf(place);
  const category = entry.category ?? folders.category;
  return {
    asset_id: assetId,
    category,
    subcategory: entry.subcategory ?? folders.subcategory,
    status: entry.status ?? 'draft',
    tags: JSON.stringify(tags),
    keywords: JSON.stringify(keywords),
    description,
    license,
    source,
    ai_generated: entry.ai_generated === undefined ? null : Number(entry.ai_generated),
    created_at: entry.created_at ?? firstSeen,
    created_by: entry.created_by ?? null,
    updated_at: later(place.version_at, entry.updated_at),
    search_text: searchableText(
      [place.path, assetId, description ?? '', license ?? '', source ?? '', ...tags, ...keywords].join('\n'),
    ).toLowerCase(),
  };
}

/** Combines a file with its description into the asset's row. */
export function rowOfFile(
  file: FileRow,
  before: AssetRow | undefined,
  { entry = {}, assetId }: { entry: AssetEntry | undefined; assetId: string },
): AssetRow {
  const columns = fileColumns(file, before);
  return { ...columns, ...entryColumns(columns, entry, assetId, before?.created_at ?? file.added_at) };
}

/** The same row with another description. */
export const rowWithEntry = (row: AssetRow, entry: AssetEntry | undefined, assetId: string): AssetRow => ({
  ...row,
  ...entryColumns(row, entry ?? {}, assetId, row.created_at),
});

export const versionOf = (row: AssetRow, assetId: string): AssetVersionRow => ({
  tenant_id: row.tenant_id,
  project_id: row.project_id,
  asset_id: assetId,
  version: row.version,
  sha256: row.sha256,
  size_bytes: row.size_bytes,
  mime_type: row.mime_type,
  created_at: row.version_at,
  created_by: row.version_by,
});

export const relationshipRows = (row: AssetRow, entry: AssetEntry | undefined): AssetRelationshipRow[] =>
  (entry?.relationships ?? []).map((relationship, position) => ({
    tenant_id: row.tenant_id,
    project_id: row.project_id,
    asset_id: row.asset_id,
    position,
    ...relationship,
  }));

/** The asset's key in the sidecar of its home. */
export const keyOf = (place: Pick<AssetRow, 'home' | 'path'>): string => keyInHome(place.home, place.path);
