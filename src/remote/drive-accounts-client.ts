import type { DriveAccounts, DriveConsent } from '../access/drive-accounts.ts';
import { createClient } from '../client/client.ts';
import { ClientError } from '../client/error.ts';
import type { Clock } from '../kit/clock.ts';
import type { ReplyOf } from '../kit/contract.ts';
import { conflict, HttpError, unavailable } from '../kit/errors.ts';
import { createRecent } from '../kit/recent.ts';
import {
  disconnectDrive,
  getDriveConsent,
  getDriveToken,
  keepDriveTokens,
} from '../people/oauth/drive-tokens.contract.ts';
import { boundedTransport, createServiceCalls } from './service-calls.ts';

/** Longer than the provider may take for its discovery document and a refresh, both of which the accounts service bounds. */
const ANSWER_MS = 20_000;

/** An access token is asked for again after a minute: so a consent that ended elsewhere is used no longer than that. */
const CACHED_MS = 60_000;
const MOST_CACHED = 10_000;
const LEAST_VALID_MS = 60_000;

const checkedCall = createServiceCalls('The accounts service');

export interface DriveAccountsClientOptions {
  url: string;
  serviceToken: string;
  clock: Clock;
}

/** The consents that the accounts service keeps, over HTTP. */
export function createDriveAccountsClient(options: DriveAccountsClientOptions): DriveAccounts {
  const { url, serviceToken, clock } = options;
  const client = createClient({
    contracts: { getDriveConsent, getDriveToken, keepDriveTokens, disconnectDrive },
    baseUrl: url,
    token: serviceToken,
    fetch: boundedTransport({ answerMs: ANSWER_MS, mostBytes: 64 * 1024 }),
  });
  const askConsent = checkedCall(getDriveConsent, told(client.getDriveConsent));
  const askToken = checkedCall(getDriveToken, told(client.getDriveToken));
  const keep = checkedCall(keepDriveTokens, told(client.keepDriveTokens));
  const end = checkedCall(disconnectDrive, told(client.disconnectDrive));
  /** Known once it was needed: it changes with the settings of the accounts service alone. */
  let knownProvider: string | null = null;

  const consentOf = async (userId: string) => askConsent({ body: { user_id: userId } });

  /** Null if none is configured. */
  async function providerFor(userId: string): Promise<string | null> {
    knownProvider ??= (await consentOf(userId)).provider;
    return knownProvider;
  }

  async function placeOf(userId: string): Promise<{ provider: string }> {
    const provider = await providerFor(userId);
    if (provider !== null) return { provider };
    throw conflict('No cloud drive is set up (setting OAUTH_GOOGLE_CLIENT_ID of the accounts service)', {
      code: 'not_configured',
    });
  }

  async function tokenFor(userId: string, refused?: string): Promise<CachedToken> {
    const params = await placeOf(userId);
    const body = { user_id: userId, ...(refused !== undefined && { refused }) };
    const { access_token: text, expires_at } = await askToken({ params, body });
    return { userId, text, endsAtMs: expires_at === null ? null : Date.parse(expires_at) };
  }

  const tokens = createRecent({
    load: (userId) => tokenFor(userId),
    clock,
    forMs: CACHED_MS,
    most: MOST_CACHED,
  });
  const forgetTokens = (userId: string) => tokens.forget((token) => token.userId === userId);

  return {
    status: async (userId) => fromWire(await consentOf(userId)),

    async accessToken(userId, refused) {
      const cached = await tokens.get(userId);
      const endsSoon = cached.endsAtMs !== null && cached.endsAtMs - clock.now() < LEAST_VALID_MS;
      if (cached.text !== refused && !endsSoon) return cached.text;
      tokens.forget(({ text }) => text === cached.text);
      return (await tokenFor(userId, refused)).text;
    },

    async keepTokens(userId, { accessToken, refreshToken, expiresAt }) {
      const params = await placeOf(userId);
      const body = {
        user_id: userId,
        ...(accessToken !== undefined && { access_token: accessToken }),
        ...(refreshToken !== undefined && { refresh_token: refreshToken }),
        ...(expiresAt !== undefined && { expires_at: expiresAt }),
      };
      const consent = await keep({ params, body });
      forgetTokens(userId);
      return fromWire(consent);
    },

    async disconnect(userId) {
      const provider = await providerFor(userId);
      forgetTokens(userId);
      if (provider !== null) await end({ params: { provider }, body: { user_id: userId } });
      // Once more: a token may have been asked for before the end.
      forgetTokens(userId);
    },
  };
}

interface CachedToken {
  userId: string;
  text: string;
  /** Null if unknown. */
  endsAtMs: number | null;
}

const fromWire = (reply: ReplyOf<typeof getDriveConsent>): DriveConsent => ({
  isConfigured: reply.configured,
  provider: reply.provider,
  isConnected: reply.connected,
  scopes: reply.scopes,
  expiresAt: reply.expires_at,
  refreshedAt: reply.refreshed_at,
  problem: reply.problem,
});

/** Statuses that concern the user, unlike a refused service token. */
const TOLD = new Set([403, 404, 409, 422]);
const UNAVAILABLE = 503;

/** Refusals are passed on as the accounts service words them, as is that the provider does not answer. */
const told =
  <Call, Reply>(call: (given: Call) => Promise<Reply>): ((given: Call) => Promise<Reply>) =>
  (given) =>
    call(given).catch((error: unknown) => {
      if (!(error instanceof ClientError)) throw error;
      const { status, detail, code, retryAfter } = error;
      if (TOLD.has(status)) throw new HttpError(status, detail, code === undefined ? {} : { code });
      if (status === UNAVAILABLE) throw unavailable(detail, retryAfter);
      throw error;
    });
