import { conflict } from '../../kit/errors.ts';
import type { Auth } from '../auth/index.ts';
import type { User, Users } from '../users/index.ts';

export interface DesktopSessionOptions {
  users: Pick<Users, 'list' | 'create'>;
  auth: Pick<Auth, 'signIn'>;
  /** Of the person whose machine it is. */
  ownerName: string;
}

/** No mail arrives there, and nobody else can claim it. */
const OWNER_EMAIL = 'owner@localhost';

/** Signs in the owner of an installation on the owner's own machine. */
export function createDesktopSessions({ users, auth, ownerName }: DesktopSessionOptions) {
  const findOwner = async (): Promise<User | undefined> =>
    (await users.list()).find(({ isActive, tenantRole }) => isActive && tenantRole === 'owner');

  async function createOwner(): Promise<User | undefined> {
    const notFirst = new Error('somebody else was first');
    const refuse = (): never => {
      throw notFirst;
    };
    const owner = { email: OWNER_EMAIL, password: null, displayName: ownerName };
    return users.create(owner, refuse).catch((error: unknown) => {
      if (error === notFirst) return findOwner();
      throw error;
    });
  }

  return {
    async start() {
      const owner = (await findOwner()) ?? (await createOwner());
      if (owner === undefined) throw noOwner();
      return auth.signIn(owner);
    },
  };
}

export type DesktopSessions = ReturnType<typeof createDesktopSessions>;

const noOwner = () =>
  conflict('No account of this installation is its owner: sign in by POST /api/auth/web/login', {
    code: 'no_owner',
  });
