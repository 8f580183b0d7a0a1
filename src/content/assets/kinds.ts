/** Derived from an asset's media type. */
export const ASSET_KINDS = [
  'image',
  'audio',
  'video',
  'model',
  'data',
  'workflow',
  'document',
  'other',
] as const;
export type AssetKind = (typeof ASSET_KINDS)[number];

const BY_TYPE: Readonly<Record<string, AssetKind>> = {
  'application/vnd.autodesk.fbx': 'model',
  'application/json': 'data',
  'application/xml': 'data',
  'text/csv': 'data',
  'application/yaml': 'workflow',
  'application/pdf': 'document',
};

/** Spec 2 §2.4. */
export function kindOf(mediaType: string): AssetKind {
  const [family = ''] = mediaType.split('/');
  if (family === 'image' || family === 'audio' || family === 'video' || family === 'model') return family;
  return BY_TYPE[mediaType] ?? (family === 'text' ? 'document' : 'other');
}

/** Subfolders of an entity's folder (spec 2 §2.4). */
export const SUBFOLDERS: Readonly<Record<AssetKind, string>> = {
  image: 'images',
  audio: 'audio',
  video: 'video',
  model: 'models',
  data: 'data',
  workflow: 'comfy_workflows',
  document: 'data',
  other: 'data',
};

/** Types that a browser may show without running any code of theirs. Everything else is a download. */
export function isPassive(mediaType: string): boolean {
  if (/^image\/(?:png|jpeg|gif|webp|avif|bmp)$/.test(mediaType)) return true;
  return (
    /^(?:audio|video)\//.test(mediaType) || /^(?:text\/(?:plain|csv)|application\/json)$/.test(mediaType)
  );
}
