import type { ServerOptions } from '../../src/kit/http/server.ts';
import { silentLog } from '../../src/kit/log.ts';

/** For tests of HTTP itself: no sign-in, no limits, and replies are not checked. */
export const BARE_SERVER = {
  log: silentLog,
  authenticate: () => Promise.reject(new Error('nobody signs in here')),
  rateLimit: () => null,
  anonymous: { tenantId: 'local', plan: 'free' },
  corsOrigins: [],
  trustedProxies: [],
  verifyReplies: false,
} satisfies Omit<ServerOptions, 'routes'>;
