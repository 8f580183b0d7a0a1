export { isOlderVersion } from './compare-versions.ts';
export { MANIFEST_LIMITS } from './limits.ts';
export { namedFiles } from './named-files.ts';
export { isPartId, isPluginId, isSemver, isTrustTier, pluginIdFault } from './names.ts';
export { needsConsent, normalPermission } from './permissions.ts';
export { type ReadManifest, readManifest } from './read-manifest.ts';
export { isSafePath } from './safe-path.ts';
export { isIconWord, isPlainLine } from './texts.ts';
export * from './types.ts';
