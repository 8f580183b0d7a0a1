export { createPluginOrigins, type PluginOrigins } from './plugin-origins.ts';
export { pluginsModule } from './plugins.module.ts';
