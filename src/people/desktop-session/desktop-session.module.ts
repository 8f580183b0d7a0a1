import { defineModule } from '../../frame/module.ts';
import { Reply, route } from '../../kit/route.ts';
import { authModule, type SessionCookies } from '../auth/index.ts';
import { peopleModule } from '../users/index.ts';
import { startDesktopSession } from './desktop-session.contract.ts';
import { createDesktopSessions, type DesktopSessionOptions } from './desktop-session.service.ts';

export type DesktopSessionContext = Pick<DesktopSessionOptions, 'ownerName'> & {
  sessionCookies: SessionCookies;
};

/** Browser sessions without a password, where every program of the machine may do what its owner may. */
export const desktopSessionModule = defineModule({
  name: 'desktop session',
  uses: { people: peopleModule, auth: authModule },
  create({ ownerName, sessionCookies }: DesktopSessionContext, { people: { users }, auth: { auth } }) {
    const sessions = createDesktopSessions({ users, auth, ownerName });
    return {
      routes: [
        route(startDesktopSession, async () => {
          const tokens = await sessions.start();
          return new Reply(await auth.webSession(tokens.user.user_id), {
            cookies: sessionCookies.of(tokens),
          });
        }),
      ],
    };
  },
});
