import { LOCAL_TENANT } from '../../access/local-tenant.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { badRequest, conflict, HttpError, invalid, messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { CloudError, type CloudLinks } from '../cloud/index.ts';
import type { CallbackOutcome } from './callback.page.ts';
import { type CallbackAnswer, type CallbackListener, listenForCallback } from './callback-listener.ts';
import type { CloudAccounts } from './cloud-accounts.ts';
import {
  authorizationUrl,
  createPendingSignIn,
  type PendingSignIn,
  SIGN_IN_SECONDS,
} from './pending-sign-in.ts';

export interface SignInOptions {
  links: CloudLinks;
  cloud: CloudAccounts;
  clock: Clock;
  log: Log;
  /** The machine's name as shown to users. */
  machine: string;
  /** Called after signing in or out. */
  changed(): Promise<void>;
}

const REFUSED = 'The sign-in was refused in the browser';
const badState = () =>
  badRequest(
    'This sign-in is unknown, was used already or is older than ten minutes: begin anew by POST /api/desktop/auth/login',
    { code: 'invalid_state' },
  );

/** Browser sign-in of an installation to a cloud (RFC 8252). */
export function createSignIn({ links, cloud, clock, log, machine, changed }: SignInOptions) {
  const pending = createPendingSignIn({ clock });
  let listener: CallbackListener | null = null;
  let timer: NodeJS.Timeout | undefined;

  function stopListening(): void {
    clearTimeout(timer);
    listener?.close();
    listener = null;
  }

  async function requireOwnLink(): Promise<void> {
    if ((await links.current(LOCAL_TENANT))?.by !== 'settings') return;
    throw conflict('The cloud is set by CLOUD_URL and CLOUD_TOKEN: unset them to sign in here', {
      code: 'set_by_settings',
    });
  }

  async function exchange({ cloudUrl, verifier }: PendingSignIn, code: string): Promise<void> {
    const signedIn = await cloud.exchange(cloudUrl, code, verifier).catch((error: unknown) => {
      throw error instanceof CloudError ? refusalOf(error) : error;
    });
    const before = await links.remove(LOCAL_TENANT);
    await links.save(LOCAL_TENANT, { url: cloudUrl, ...signedIn });
    if (before) await revoke(before);
    await changed();
  }

  /** The local tokens are gone in any case; an unreachable cloud's expire by themselves. */
  async function revoke({
    url,
    ...tokens
  }: NonNullable<Awaited<ReturnType<CloudLinks['remove']>>>): Promise<boolean> {
    try {
      await cloud.revoke(url, tokens);
      return true;
    } catch (error) {
      log.warn(`the cloud was not told that a sign-in ended: ${messageOf(error)}`);
      return false;
    }
  }

  async function finish({ state, code, error }: CallbackAnswer): Promise<void> {
    const found = pending.take(state);
    if (found === null) throw badState();
    stopListening();
    if (error !== null || code === null) throw badRequest(REFUSED, { code: 'access_denied' });
    await exchange(found, code);
  }

  async function toldInBrowser(answer: CallbackAnswer): Promise<CallbackOutcome> {
    try {
      await finish(answer);
      return { isSignedIn: true, text: 'Canonry on this computer is signed in. You can close this page.' };
    } catch (error) {
      if (error instanceof HttpError) return { isSignedIn: false, text: error.message };
      log.error(`a sign-in failed: ${error instanceof Error ? error.stack : messageOf(error)}`);
      return { isSignedIn: false, text: 'Something went wrong here; the log of Canonry has more.' };
    }
  }

  return {
    async status() {
      const link = await links.current(LOCAL_TENANT);
      const begun = pending.current();
      return {
        signed_in: link !== null && link.ended === null,
        cloud_url: link?.url ?? null,
        account: link?.account ?? null,
        by: link?.by ?? null,
        since: link?.linked_at ?? null,
        ended: link?.ended ?? null,
        pending: begun && { cloud_url: begun.cloudUrl, expires_at: isoTime(begun.expiresAtMs) },
      };
    },

    /** 409 if the settings name the cloud, or nothing does. */
    async begin(cloudUrl: string | undefined) {
      await requireOwnLink();
      const url = cloudUrl === undefined ? (await links.current(LOCAL_TENANT))?.url : checkedUrl(cloudUrl);
      if (url === undefined)
        throw conflict('Say which cloud: send its address as cloud_url', { code: 'no_cloud' });
      const opened = await listenForCallback(toldInBrowser);
      stopListening();
      listener = opened;
      timer = setTimeout(stopListening, SIGN_IN_SECONDS * 1_000).unref();
      const begun = pending.begin(url, opened.redirectUri);
      return {
        authorization_url: authorizationUrl(begun, machine),
        redirect_uri: begun.redirectUri,
        expires_in: SIGN_IN_SECONDS,
      };
    },

    /** 400 if the state does not belong to the sign-in in progress. */
    finish: (code: string, state: string): Promise<void> => finish({ state, code, error: null }),

    /** 409 if the settings name the cloud. */
    async end(): Promise<{ wasSignedIn: boolean; revoked: boolean }> {
      await requireOwnLink();
      pending.forget();
      stopListening();
      const before = await links.remove(LOCAL_TENANT);
      await changed();
      return { wasSignedIn: before !== null, revoked: before !== null && (await revoke(before)) };
    },

    stop: stopListening,
  };
}

export type SignIn = ReturnType<typeof createSignIn>;

/** Without a trailing slash. 422 for anything but a plain address. */
function checkedUrl(text: string): string {
  const url = URL.parse(text);
  if (url && url.username + url.password + url.search + url.hash === '' && url.hostname !== '')
    return url.href.replace(/\/+$/, '');
  const message = 'must be the address of a cloud, such as https://canonry.example.com';
  throw invalid(`cloud_url ${message}`, {
    code: 'invalid_cloud_url',
    errors: [{ field: 'cloud_url', message }],
  });
}

const STATUSES: Partial<Record<CloudError['code'], number>> = {
  signed_out: 401,
  refused: 400,
  forbidden: 403,
};

/** The cloud's answer to the code, worded for the user. */
function refusalOf({ code, message, retryAfter }: CloudError): HttpError {
  const status = STATUSES[code] ?? 503;
  return new HttpError(status, message, {
    code: status === 503 ? 'cloud_unavailable' : 'cloud_refused',
    ...(status === 503 && { headers: { 'retry-after': String(retryAfter ?? 5) } }),
  });
}
