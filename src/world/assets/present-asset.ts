import { versionOf } from './asset-row.ts';
import type { AssetRow, AssetVersionRow } from './assets.tables.ts';

const presentVersion = ({
  version,
  sha256,
  size_bytes,
  mime_type,
  created_at,
  created_by,
}: AssetVersionRow) => ({
  version,
  checksum_sha256: sha256,
  size_bytes,
  mime_type,
  created_at,
  created_by,
});

/** An asset in the form of replies; `replaced` are its older versions, newest first, and `url` serves its bytes. */
export const presentAsset = (row: AssetRow, replaced: readonly AssetVersionRow[], url: string) => ({
  id: row.asset_id,
  filename: row.filename,
  path: row.path,
  url,
  kind: row.kind,
  mime_type: row.mime_type,
  size_bytes: row.size_bytes,
  checksum_sha256: row.sha256,
  perceptual_hash: row.perceptual_hash,
  placeholder: row.placeholder,
  width: row.width,
  height: row.height,
  duration: row.duration,
  media: row.media_facts === null ? null : (JSON.parse(row.media_facts) as Record<string, unknown>),
  entity_type: row.entity_type,
  entity_id: row.entity_id,
  category: row.category,
  subcategory: row.subcategory,
  status: row.status,
  tags: JSON.parse(row.tags) as string[],
  keywords: JSON.parse(row.keywords) as string[],
  description: row.description,
  license: row.license,
  source: row.source,
  ai_generated: row.ai_generated === null ? null : row.ai_generated === 1,
  created_at: row.created_at,
  updated_at: row.updated_at,
  created_by: row.created_by,
  versions: [versionOf(row, row.asset_id), ...replaced].map(presentVersion),
});

export type PresentedAsset = ReturnType<typeof presentAsset>;
