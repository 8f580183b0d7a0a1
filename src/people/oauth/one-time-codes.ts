import { hash } from 'node:crypto';
import { equalSecrets, randomToken, sha256Hex } from '../../kit/crypto.ts';
import { unauthorized } from '../../kit/errors.ts';
import type { KeyValue } from '../../platform/kv/kv.ts';
import type { User, Users } from '../users/index.ts';

const LIFETIME_MS = 60_000;

interface CodeGrant {
  userId: string;
  sessionEpoch: number;
  challenge: string | null;
}

const keyOf = (code: string): string => `oauth-handoff:${sha256Hex(code)}`;

const provesChallenge = (challenge: string, verifier: string | undefined): boolean =>
  verifier !== undefined && equalSecrets(hash('sha256', verifier, 'base64url'), challenge);

/** One-time codes that an app exchanges for tokens: each is valid once, for a minute, with the app's PKCE verifier. */
export function createOneTimeCodes({
  keyValue,
  users,
}: {
  keyValue: KeyValue;
  users: Pick<Users, 'findById'>;
}) {
  return {
    async make(user: User, challenge: string | null): Promise<string> {
      const code = randomToken();
      const grant: CodeGrant = { userId: user.userId, sessionEpoch: user.sessionEpoch, challenge };
      await keyValue.set(keyOf(code), JSON.stringify(grant), { ttlMs: LIFETIME_MS });
      return code;
    },

    /** 401 with the same message for a code that is unknown, used, expired or another app's. Every attempt uses the code up. */
    async take(code: string, verifier: string | undefined): Promise<User> {
      const kept = await keyValue.take(keyOf(code));
      const grant: CodeGrant | null = kept === undefined ? null : JSON.parse(kept);
      if (grant === null) throw badCode();
      const { userId, sessionEpoch, challenge } = grant;
      if (challenge !== null && !provesChallenge(challenge, verifier)) throw badCode();
      const user = await users.findById(userId);
      if (!user?.isActive || user.sessionEpoch !== sessionEpoch) throw badCode();
      return user;
    },
  };
}

export type OneTimeCodes = ReturnType<typeof createOneTimeCodes>;

const badCode = () =>
  unauthorized('The code is invalid or no longer valid: sign in again', { code: 'invalid_code' });
