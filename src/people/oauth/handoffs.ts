import { hash } from 'node:crypto';
import { equalSecrets, randomToken, sha256Hex } from '../../kit/crypto.ts';
import { unauthorized } from '../../kit/errors.ts';
import type { KeyValue } from '../../platform/kv/kv.ts';
import type { User, Users } from '../users/index.ts';

const LIFETIME_MS = 60_000;

interface Handoff {
  userId: string;
  sessionEpoch: number;
  challenge: string | null;
}

const keyOf = (code: string): string => `oauth-handoff:${sha256Hex(code)}`;

const provesChallenge = (challenge: string, verifier: string | undefined): boolean =>
  verifier !== undefined && equalSecrets(hash('sha256', verifier, 'base64url'), challenge);

/** Codes that an app exchanges for tokens: each good once, for a minute, for the app that holds the PKCE verifier. */
export function createHandoffs({ keyValue, users }: { keyValue: KeyValue; users: Pick<Users, 'findById'> }) {
  return {
    async make(user: User, challenge: string | null): Promise<string> {
      const code = randomToken();
      const handoff: Handoff = { userId: user.userId, sessionEpoch: user.sessionEpoch, challenge };
      await keyValue.set(keyOf(code), JSON.stringify(handoff), { ttlMs: LIFETIME_MS });
      return code;
    },

    /** 401, all alike, for a code that is unknown, used, too old or another app's. It is used up then, too. */
    async take(code: string, verifier: string | undefined): Promise<User> {
      const kept = await keyValue.take(keyOf(code));
      const handoff: Handoff | null = kept === undefined ? null : JSON.parse(kept);
      if (handoff === null) throw badCode();
      const { userId, sessionEpoch, challenge } = handoff;
      if (challenge !== null && !provesChallenge(challenge, verifier)) throw badCode();
      const user = await users.findById(userId);
      if (!user?.isActive || user.sessionEpoch !== sessionEpoch) throw badCode();
      return user;
    },
  };
}

export type Handoffs = ReturnType<typeof createHandoffs>;

const badCode = () =>
  unauthorized('The code is not valid, or not any more: sign in again', { code: 'invalid_code' });
