import type { Variable } from './variable.ts';
import type { VARIABLES } from './variables.ts';

type ValueOf<Item> = Item extends Variable<infer Value> ? Value : never;

export type ConfigKey = keyof typeof VARIABLES;

export type Values = { [Key in ConfigKey]: ValueOf<(typeof VARIABLES)[Key]> };

type LimitKey = 'rateLimitLogin' | 'rateLimitAnonymous' | 'rateLimitUser';

/** Requests per minute; 0 for no limit. */
export interface RateLimits {
  login: number;
  anonymous: number;
  user: number;
}

/** All settings, validated. Folders are absolute. Commands may run with an empty `jwtSecret` and `encryptionKey`. */
export type Config = Omit<Values, LimitKey> & { rateLimits: RateLimits };

export type ConfigSource = 'environment' | 'file' | 'generated' | 'default' | 'unset';

/** `start`: generates missing values. `serve`: requires them. `cli`: the defaults of `start`, but creates nothing. */
export type ConfigMode = 'start' | 'serve' | 'cli';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Secrets are masked. */
export interface ShownVariable {
  name: string;
  value: string;
  source: ConfigSource;
}

export interface LoadedConfig {
  config: Config;
  sources: Record<string, ConfigSource>;
  shown: readonly ShownVariable[];
  /** One line for each thing that was created. */
  provisioned: readonly string[];
}
