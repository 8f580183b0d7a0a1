import type { Clock } from '../kit/clock.ts';
import type { Config } from '../kit/config/index.ts';
import { createRecent } from '../kit/recent.ts';
import type { Users } from '../people/users/index.ts';
import type { SignInOptionsPort } from '../remote/accounts-client.ts';
import type { StudioConfig } from '../service/studio/index.ts';

/** How people come into an installation, as the web app must know before anybody is signed in. */
export type Installation = Pick<
  StudioConfig,
  'deployment' | 'first_run' | 'registration' | 'providers' | 'mail'
>;

/** Of a core with accounts of its own, which knows no OAuth provider and sends no links by mail. */
export const localInstallation =
  (deployment: 'self_hosted' | 'desktop', users: Users, { registration }: Pick<Config, 'registration'>) =>
  async (): Promise<Installation> => ({
    deployment,
    first_run: await users.isEmpty(),
    registration,
    providers: [],
    mail: false,
  });

/** Milliseconds between two questions to the accounts service. */
const ASK_EVERY_MS = 60_000;

/** While the accounts service does not answer, what it said last holds. */
export function cloudInstallation(accounts: SignInOptionsPort, clock: Clock): () => Promise<Installation> {
  const recent = createRecent<Installation>({
    clock,
    forMs: ASK_EVERY_MS,
    most: 1,
    load: async (_, previous) => {
      const options = await accounts.signInOptions().catch((error: unknown) => {
        if (previous === undefined) throw error;
        return previous;
      });
      return { ...options, deployment: 'cloud', first_run: false };
    },
  });
  return async () => recent.get('installation');
}
