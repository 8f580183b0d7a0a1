import { invalid } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { AccountsService, AccountTokens } from '../accounts/index.ts';
import { type Flows, type ProviderAnswer, responseOf } from './flows.ts';
import type { OneTimeCodes } from './one-time-codes.ts';
import { codeOf } from './outcome.ts';
import type { BrowserKey, PendingFlow } from './pending.ts';
import type { Providers } from './providers.ts';
import { type ReturnUrls, withParameter } from './return-urls.ts';
import type { SocialAccounts } from './social-accounts.ts';

export interface SignInOptions {
  providers: Providers;
  flows: Flows;
  returnUrls: ReturnUrls;
  people: SocialAccounts;
  oneTimeCodes: OneTimeCodes;
  accounts: Pick<AccountsService, 'signIn'>;
  log: Log;
}

export interface Start {
  browser: BrowserKey;
  returnTo: string | undefined;
  challenge: string | undefined;
  invite: string | undefined;
}

/** The browser's destination, and the tokens that it gets as cookies. */
export interface CompletedSignIn {
  location: string;
  tokens?: AccountTokens;
}

type SignInFlow = 'sign-in' | 'mobile';

interface BeginOptions {
  browser: BrowserKey;
  challenge?: string | null | undefined;
  invite?: string | null | undefined;
}

/** Spec 1 §4.9. */
export function createSignIn(options: SignInOptions) {
  const { providers, flows, returnUrls, people, oneTimeCodes, accounts, log } = options;

  async function begin(
    flow: SignInFlow,
    providerId: string,
    { browser, challenge = null, invite = null }: BeginOptions,
    returnUrl: string,
  ): Promise<string> {
    const provider = providers.find(providerId);
    const begun = await flows.begin({ flow, provider: providerId, browser, returnUrl, challenge, invite });
    return provider.authorizationUrl(begun);
  }

  /** Pages of this service share its cookies; any other destination gets a code that only the initiating app can use. */
  async function complete(pending: PendingFlow, answer: ProviderAnswer): Promise<CompletedSignIn> {
    const { provider, returnUrl, challenge } = pending;
    const profile = await providers.find(provider).signIn(responseOf(pending, answer));
    const user = await people.userOf(provider, profile, pending.invite);
    if (returnUrls.isOwn(returnUrl)) return { location: returnUrl, tokens: await accounts.signIn(user) };
    return { location: withParameter(returnUrl, 'code', await oneTimeCodes.make(user, challenge)) };
  }

  return {
    /** The address of the provider's page. 422 for an app without a PKCE challenge. */
    start(providerId: string, { returnTo, ...start }: Start): Promise<string> {
      const returnUrl = returnUrls.checked(returnTo);
      if (start.challenge === undefined && !returnUrls.isOwn(returnUrl)) throw challengeMissing();
      return begin('sign-in', providerId, start, returnUrl);
    },

    /** The same for apps from before PKCE, which may omit the challenge. */
    startMobile: (providerId: string, { returnTo, ...start }: Start): Promise<string> =>
      begin('mobile', providerId, start, returnUrls.checkedForApp(returnTo)),

    /** Null if the redirect belongs to no pending flow. */
    async finish(
      at: { flow: SignInFlow; provider: string; browser: BrowserKey | undefined },
      answer: ProviderAnswer,
    ): Promise<CompletedSignIn | null> {
      const pending = await flows.resume(at, answer);
      if (pending === null) return null;
      try {
        return await complete(pending, answer);
      } catch (error) {
        return { location: withParameter(pending.returnUrl, 'error', codeOf(error, log)) };
      }
    },

    exchange: async (code: string, verifier: string | undefined): Promise<AccountTokens> =>
      accounts.signIn(await oneTimeCodes.take(code, verifier)),
  };
}

export type SignIn = ReturnType<typeof createSignIn>;

function challengeMissing() {
  const message = 'is needed for a sign-in that leads to another address than a page of this service';
  return invalid(`code_challenge ${message}: send the S256 challenge of a PKCE verifier`, {
    code: 'pkce_required',
    errors: [{ field: 'code_challenge', message }],
  });
}
