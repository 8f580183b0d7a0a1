export { MANIFEST_LIMITS } from './limits.ts';
export { namedFiles } from './named-files.ts';
export { isPartId, isPluginId, pluginIdFault } from './names.ts';
export { needsConsent, normalPermission } from './permissions.ts';
export { type ReadManifest, readManifest } from './read-manifest.ts';
export { isSafePath } from './safe-path.ts';
export * from './types.ts';
