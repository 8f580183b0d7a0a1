import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';
import { VARIABLES } from './variables.ts';

/** What holds between variables rather than for one alone. */
export function checkTogether({ deployment, databaseUrl, redisUrl, allowPrivateEndpoints }: Config): void {
  if (deployment !== 'cloud') return;
  if (databaseUrl.kind !== 'postgres') {
    throw new ConfigError(
      'DATABASE_URL',
      'must be PostgreSQL where DEPLOYMENT=cloud',
      'postgres://canonry@db/canonry',
    );
  }
  if (redisUrl === null) {
    throw new ConfigError(
      'REDIS_URL',
      'is not set, but DEPLOYMENT=cloud needs it',
      VARIABLES.redisUrl.example,
    );
  }
  if (allowPrivateEndpoints) {
    throw new ConfigError(
      'ALLOW_PRIVATE_ENDPOINTS',
      'is for self-hosted services, not DEPLOYMENT=cloud',
      'false',
    );
  }
}
