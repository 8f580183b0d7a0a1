export const ASSET_STATUSES = ['draft', 'in_review', 'approved', 'rejected', 'archived'] as const;
export type AssetStatus = (typeof ASSET_STATUSES)[number];

/** An archived or refused asset starts again as a draft. */
export const NEXT_STATUSES: Readonly<Record<AssetStatus, readonly AssetStatus[]>> = {
  draft: ['in_review', 'archived'],
  in_review: ['draft', 'approved', 'rejected', 'archived'],
  approved: ['in_review', 'archived'],
  rejected: ['draft', 'archived'],
  archived: ['draft'],
};

export const isAssetStatus = (word: unknown): word is AssetStatus =>
  ASSET_STATUSES.some((status) => status === word);
