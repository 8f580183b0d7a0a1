import type { PlanName } from '../../access/plans.ts';
import type { Base } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { Authenticate, Principal } from '../../kit/principal.ts';
import { isApiKey } from '../api-keys/index.ts';
import { createTokenCheck } from '../auth/index.ts';
import { createAccessWatch } from './access-watch.ts';
import type { AccountsPort } from './accounts-port.ts';
import { createAuthenticateRemoteKeys } from './authenticate-remote-keys.ts';
import { createAuthenticateTokens } from './authenticate-tokens.ts';
import { createRemoteKeys } from './remote-keys.ts';

export interface CloudIdentityOptions {
  accounts: AccountsPort;
  clock: Clock;
  log: Log;
  everyMs: number;
}

export interface CloudIdentity {
  authenticate: Authenticate;
  /** The plan of a tenant as its people's tokens state it. */
  planOf(tenantId: string): PlanName;
  /** Rejects while the accounts service does not answer. */
  probe(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** People as the accounts service knows them: its tokens and API keys, and later access changes. */
export function createCloudIdentity(options: CloudIdentityOptions): CloudIdentity {
  const { accounts, clock, log } = options;
  const watch = createAccessWatch(options);
  const verify = createTokenCheck({ keys: createRemoteKeys({ accounts, clock, log }), clock });
  const ofToken = createAuthenticateTokens({ verify, watch, clock });
  const ofKey = createAuthenticateRemoteKeys({ accounts, watch, clock });
  const plans = new Map<string, PlanName>();

  function noted(principal: Principal): Principal {
    plans.set(principal.tenantId, principal.plan);
    return principal;
  }

  return {
    authenticate(token) {
      const found = isApiKey(token) ? ofKey(token) : ofToken(token);
      return found instanceof Promise ? found.then(noted) : noted(found);
    },
    planOf: (tenantId) => plans.get(tenantId) ?? 'free',
    probe: watch.probe,
    start: watch.start,
    stop: watch.stop,
  };
}

export interface CloudIdentityContext extends Base {
  accounts: AccountsPort;
  askEveryMs: number;
}

export const cloudIdentityModule = defineModule({
  name: 'cloud-identity',
  create({ accounts, clock, log, askEveryMs: everyMs }: CloudIdentityContext) {
    const identity = createCloudIdentity({ accounts, clock, log: log.child('identity'), everyMs });
    return { service: identity, start: identity.start, stop: identity.stop };
  },
});
