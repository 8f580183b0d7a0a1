import type { Variable } from './variable.ts';
import type { VARIABLES } from './variables.ts';

type ValueOf<Item> = Item extends Variable<infer Value> ? Value : never;

export type ConfigKey = keyof typeof VARIABLES;

/** The values as the variables stand in the table. */
export type Values = { [Key in ConfigKey]: ValueOf<(typeof VARIABLES)[Key]> };

type LimitKey = 'rateLimitLogin' | 'rateLimitAnonymous' | 'rateLimitUser';

/** Requests a minute; 0: no limit. */
export interface RateLimits {
  login: number;
  anonymous: number;
  user: number;
}

/** All settings, validated. Folders are absolute. Commands run without `jwtSecret` and `encryptionKey`: both may be empty there. */
export type Config = Omit<Values, LimitKey> & { rateLimits: RateLimits };

export type ConfigSource = 'environment' | 'file' | 'generated' | 'default' | 'unset';

/** `start`: provisions what is unset. `serve`: requires it. `cli`: the defaults of `start`, but makes nothing. */
export type ConfigMode = 'start' | 'serve' | 'cli';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable's value as it may be shown: secrets are masked. */
export interface ShownVariable {
  name: string;
  value: string;
  source: ConfigSource;
}

export interface LoadedConfig {
  config: Config;
  sources: Record<string, ConfigSource>;
  shown: readonly ShownVariable[];
  /** One line for each thing that was made. */
  provisioned: readonly string[];
}
