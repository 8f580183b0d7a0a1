import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict } from '../../kit/errors.ts';
import type { SecretBox } from '../../kit/secret-box.ts';
import type { Database } from '../../platform/database/database.ts';
import { NOT_LINKED, type SyncLink } from '../sync/index.ts';
import type { CloudLinkRow } from './cloud.tables.ts';
import { CloudError, type OpenCloud } from './cloud-port.ts';
import { createLinkStore } from './links.store.ts';

export interface CloudLink extends SyncLink {
  /** The user's display name; null for a link from the settings. */
  account: string | null;
  linked_at: string | null;
  /** Why the link no longer works; the user has to sign in again. */
  ended: string | null;
}

export interface NewLink {
  url: string;
  access_token: string;
  refresh_token: string;
  /** Seconds until the access token expires. */
  expires_in: number;
  account: string;
}

export interface CloudLinks {
  /** Settings take precedence over a sign-in. */
  current(tenantId: string): Promise<CloudLink | null>;
  /** 409 if there is none. */
  require(tenantId: string): Promise<CloudLink>;
  /** Replaces the previous tokens. */
  save(tenantId: string, link: NewLink): Promise<void>;
  /** Returns the forgotten tokens so that they can be revoked; null if nobody was signed in. */
  remove(tenantId: string): Promise<{ url: string; access_token: string; refresh_token: string } | null>;
  /**
   * A valid token, exchanged before it expires. With `of` it belongs to that link and not to a later sign-in. A `refused`
   * token is exchanged as well. Throws `CloudError`, or 409 without a link.
   */
  accessToken(tenantId: string, of?: CloudLink, refused?: string): Promise<string>;
}

export interface LinksOptions {
  database: Database;
  box: SecretBox;
  clock: Clock;
  /** CLOUD_URL and CLOUD_TOKEN. */
  settings: { url: string; token: string } | null;
  openCloud: OpenCloud;
}

/** Tokens that expire sooner are exchanged first, so that they outlive the request. */
const MARGIN_MS = 60_000;

const notLinked = () =>
  conflict(
    'This installation works with no cloud: set CLOUD_URL and CLOUD_TOKEN (an API key made there), or sign in to one in the desktop app',
    { code: NOT_LINKED },
  );

const isOf = (link: CloudLink, row: CloudLinkRow): boolean =>
  link.url === row.url && link.account === row.account && link.linked_at === row.linked_at;

const signedOut = (reason: string) => new CloudError('signed_out', `${reason}: sign in again`);

export function createCloudLinks({ database, box, clock, settings, openCloud }: LinksOptions): CloudLinks {
  const storeOf = (tenantId: string) => createLinkStore(database.tenant(tenantId));
  const contextOf = (tenantId: string) => `cloud_links ${tenantId} tokens`;

  /** A refresh token works once, so concurrent callers share one exchange, and nobody signs out during it. */
  const inTurn = <Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> =>
    database.tenant(tenantId).exclusive('cloud link', work);

  const seal = (
    tenantId: string,
    { access_token, refresh_token }: Pick<NewLink, 'access_token' | 'refresh_token'>,
  ) => box.seal(JSON.stringify({ access_token, refresh_token }), contextOf(tenantId));

  function open(tenantId: string, { tokens }: CloudLinkRow): { access_token: string; refresh_token: string } {
    return JSON.parse(box.open(tokens, contextOf(tenantId)));
  }

  async function current(tenantId: string): Promise<CloudLink | null> {
    if (settings) return { url: settings.url, by: 'settings', account: null, linked_at: null, ended: null };
    const row = await storeOf(tenantId).find();
    if (row === undefined) return null;
    const { url, account, linked_at, ended } = row;
    return { url, by: 'signed_in', account, linked_at, ended };
  }

  async function exchange(tenantId: string, row: CloudLinkRow): Promise<string> {
    const { refresh_token } = open(tenantId, row);
    const cloud = openCloud({ url: row.url, token: async () => '', projectId: '' });
    try {
      const tokens = await cloud.refresh(refresh_token);
      await storeOf(tenantId).put({
        ...row,
        tokens: seal(tenantId, tokens),
        expires_at: clock.now() + tokens.expires_in * 1000,
      });
      return tokens.access_token;
    } catch (error) {
      if (!(error instanceof CloudError && error.code === 'signed_out')) throw error;
      await storeOf(tenantId).put({ ...row, ended: error.message });
      throw signedOut(error.message);
    }
  }

  return {
    current,
    async require(tenantId) {
      const link = await current(tenantId);
      if (link) return link;
      throw notLinked();
    },
    save: (tenantId, link) =>
      inTurn(tenantId, () =>
        storeOf(tenantId).put({
          url: link.url.replace(/\/+$/, ''),
          tokens: seal(tenantId, link),
          expires_at: clock.now() + link.expires_in * 1000,
          account: link.account,
          linked_at: isoTime(clock.now()),
          ended: null,
        }),
      ),
    remove: (tenantId) =>
      inTurn(tenantId, async () => {
        const row = await storeOf(tenantId).find();
        if (row === undefined) return null;
        await storeOf(tenantId).remove();
        return { url: row.url, ...open(tenantId, row) };
      }),
    async accessToken(tenantId, of, refused) {
      if (settings) return settings.token;
      return inTurn(tenantId, async () => {
        const row = await storeOf(tenantId).find();
        if (row === undefined) throw notLinked();
        if (of && !isOf(of, row)) throw new CloudError('busy', 'Somebody signed in anew meanwhile');
        if (row.ended !== null) throw signedOut(row.ended);
        const { access_token } = open(tenantId, row);
        // Of several callers refused with one token, the first exchanges it.
        if (access_token !== refused && row.expires_at - MARGIN_MS > clock.now()) return access_token;
        return exchange(tenantId, row);
      });
    },
  };
}
