export type {
  Config,
  ConfigMode,
  ConfigSource,
  Environment,
  LoadedConfig,
  RateLimits,
  ShownVariable,
} from './config.ts';
export { ConfigError } from './config-error.ts';
export { configTableMarkdown, describeConfig } from './describe-config.ts';
export { loadConfig } from './load-config.ts';
export { mistypedVariables } from './mistyped.ts';
export type { BindAddress, CatalogPlace, DatabaseUrl } from './parse-address.ts';
export { SURFACES, type Surface } from './variable.ts';
