export {
  type AssetEntry,
  type AssetRelationship,
  ENTRY_TEXTS,
  LONGEST_ITEM,
  MOST_ITEMS,
} from './entry.ts';
export { isBinaryFbx, readFbxFacts } from './fbx-facts.ts';
export { GLB_HEAD_BYTES, glbJsonLength, readGltfFacts } from './gltf-facts.ts';
export { ASSET_KINDS, type AssetKind, isPassive, kindOf, SUBFOLDERS } from './kinds.ts';
export { HEAD_BYTES, mediaTypeOf } from './media-type.ts';
export type { ModelFacts } from './model-facts.ts';
export { namedAssets, placesOf } from './named-assets.ts';
export { derivedAssetId, isAssetId, numberedName, safeFileName, sanitizeAssetId } from './names.ts';
export { oggPackets } from './ogg-packets.ts';
export { createOpenPeaks } from './open-peaks.ts';
export { createPeaks, isReadable } from './peaks.ts';
export {
  categoriesOf,
  homeOf,
  homeOfSidecar,
  isPublicPath,
  isSidecar,
  keyInHome,
  pathInHome,
  SIDECAR_NAME,
  sidecarPath,
} from './places.ts';
export {
  LONGEST_TAG,
  plainTags,
  type TaggedFile,
  type TagOrigin,
  type TagSuggestion,
  tidyTag,
} from './plain-tags.ts';
export {
  type EntryChange,
  editSidecar,
  readSidecar,
  type Sidecar,
  type SidecarProblem,
} from './sidecar.ts';
export { MOST_DISTANCE, similarGroups } from './similar.ts';
export { ASSET_STATUSES, type AssetStatus, NEXT_STATUSES } from './status.ts';
export { readWavHead } from './wav-head.ts';
export { drawWaveform } from './waveform-picture.ts';
