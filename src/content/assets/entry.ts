import type { AssetStatus } from './status.ts';

/** An entity's `target_id` is `type:id`. */
export interface AssetRelationship {
  target_type: 'asset' | 'entity';
  target_id: string;
  relationship_type: string;
}

/** People's statements about one asset. A missing one is unknown. */
export interface AssetEntry {
  id?: string;
  status?: AssetStatus;
  tags?: string[];
  keywords?: string[];
  description?: string;
  license?: string;
  source?: string;
  ai_generated?: boolean;
  category?: string;
  subcategory?: string;
  relationships?: AssetRelationship[];
  created_at?: string;
  created_by?: string;
  updated_at?: string;
}

/** With the most characters that each may have. */
export const ENTRY_TEXTS = {
  description: 5_000,
  license: 200,
  source: 1_000,
  category: 100,
  subcategory: 200,
  created_at: 40,
  created_by: 200,
  updated_at: 40,
} as const;

/** Most tags, keywords or relationships of an asset, and characters of one. */
export const MOST_ITEMS = 200;
export const LONGEST_ITEM = 200;
