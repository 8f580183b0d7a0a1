import { type Clock, isoTime } from '../../kit/clock.ts';
import { HttpError } from '../../kit/errors.ts';
import type { Database } from '../../platform/database/database.ts';
import type { OAuthProfile } from '../../platform/oauth/oauth.ts';
import type { AccountsService } from '../accounts/index.ts';
import type { Invites } from '../invites/index.ts';
import { normalisedEmail, type User, type Users } from '../users/index.ts';
import { createConnectionStore } from './connections.store.ts';
import { createIdentityStore } from './identities.store.ts';
import { OutcomeError } from './outcome.ts';

const LONGEST_NAME = 100;
const LONGEST_ADDRESS = 2048;

export interface SocialAccountsOptions {
  database: Database;
  clock: Clock;
  users: Users;
  accounts: Pick<AccountsService, 'openAccount'>;
  invites: Pick<Invites, 'find' | 'accept' | 'removeOf'>;
}

export function createSocialAccounts({ database, clock, users, accounts, invites }: SocialAccountsOptions) {
  const identities = createIdentityStore(database.system);
  const connections = createConnectionStore(database.system);

  async function linkedUser(provider: string, subject: string): Promise<User | null> {
    const userId = await identities.findUser(provider, subject);
    return userId === null ? null : users.findById(userId);
  }

  /** Relies on the provider's word, but only if it has verified the address. */
  async function userByAddress(profile: OAuthProfile, invite: string | null): Promise<User> {
    const { email, emailVerified } = profile;
    if (email === null || !emailVerified) throw new OutcomeError('email_unverified');
    const found = await users.findByEmail(email);
    return found === null ? newUser(email, profile, invite) : found.user;
  }

  async function newUser(
    email: string,
    { name, picture }: OAuthProfile,
    invite: string | null,
  ): Promise<User> {
    const input = { password: null, displayName: shownName(name), emailVerified: true };
    const user =
      invite === null
        ? await accounts.openAccount({ ...input, email })
        : await acceptInvite(email, { ...input, token: invite });
    const avatarUrl = picture === null ? undefined : httpsAddress(picture);
    return avatarUrl === undefined ? user : users.update(user.userId, { avatarUrl });
  }

  async function acceptInvite(email: string, input: Parameters<Invites['accept']>[0]): Promise<User> {
    const invite = await invites.find(input.token);
    if (invite.email !== normalisedEmail(email)) throw new OutcomeError('invite_other_address');
    return invites.accept(input);
  }

  /** A stranger who opened the account may have left invitations and storage connections: they must not stay. */
  async function revokeLeftovers(userId: string): Promise<void> {
    await invites.removeOf(userId);
    await connections.removeAll(userId);
  }

  /** Of two concurrent first sign-ins one creates the account, and the other then finds it. */
  async function findOrCreate(profile: OAuthProfile, invite: string | null): Promise<User> {
    return userByAddress(profile, invite).catch(async (error: unknown) => {
      const isThere = profile.email !== null && (await users.findByEmail(profile.email)) !== null;
      if (!(error instanceof HttpError) || !isThere) throw error;
      return userByAddress(profile, invite);
    });
  }

  return {
    /** Finds or creates the account, in the tenant of an invitation or a new one. Throws `OutcomeError`, and errors of account creation. */
    async userOf(provider: string, profile: OAuthProfile, invite: string | null): Promise<User> {
      const { subject } = profile;
      const linked = await linkedUser(provider, subject);
      const user = linked ?? (await findOrCreate(profile, invite));
      if (!user.isActive) throw new OutcomeError('account_closed');
      if (linked !== null) return linked;
      if (await users.claim(user.userId)) await revokeLeftovers(user.userId);
      const created_at = isoTime(clock.now());
      await identities.insert({ provider, subject, user_id: user.userId, created_at });
      return (await linkedUser(provider, subject)) ?? user;
    },
  };
}

export type SocialAccounts = ReturnType<typeof createSocialAccounts>;

const shownName = (name: string | null): string | undefined =>
  [...(name ?? '').normalize('NFC').replaceAll(/\p{Cc}+/gu, ' ')].slice(0, LONGEST_NAME).join('').trim() ||
  undefined;

function httpsAddress(text: string): string | undefined {
  const url = URL.parse(text);
  const fits = url?.protocol === 'https:' && url.username + url.password === '';
  return fits && url.href.length <= LONGEST_ADDRESS ? url.href : undefined;
}
