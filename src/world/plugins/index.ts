export { type CatalogIndex, readCatalogIndex } from './catalog/catalog-index.ts';
export { SIGNATURE_ENDING } from './catalog/catalog-source.ts';
export { hookDeadline } from './guest/hook-deadlines.ts';
export { updateIn } from './guest/save-hooks.ts';
export { withPlugin } from './plugin-archive.ts';
export { createPluginOrigins, type PluginOrigins } from './plugin-origins.ts';
export { pluginsModule } from './plugins.module.ts';
