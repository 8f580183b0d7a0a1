import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { projectsModule } from '../../world/projects/index.ts';
import { eventRoutes } from './events.routes.ts';
import { createFeeds } from './feeds.ts';
import { presenceRoutes } from './presence.routes.ts';
import { createPresence } from './presence.service.ts';
import { socketRoutes } from './socket.routes.ts';
import { createSockets } from './sockets.ts';
import { createTickets } from './tickets.ts';

export interface RealtimeContext extends CoreContext {
  /** The cookie with a browser's access token, if the surface has browser sessions. */
  accessCookie: string | undefined;
  /** Used by connections that name none. */
  defaultProject: () => string;
}

/** Live events, and those a client missed. */
export const realtimeModule = defineModule({
  name: 'realtime',
  tags: {
    Realtime: 'What happens in a project: as it happens, and what was missed of it.',
  },
  uses: { projects: projectsModule },
  create(context: RealtimeContext, { projects }) {
    const { bus, keyValue, authenticate, accessCookie, clock, nameOf, defaultProject } = context;
    const log = context.log.child('realtime');
    const presence = createPresence({ keyValue, bus, clock, log, nameOf });
    const tickets = createTickets(keyValue);
    const feeds = createFeeds({ bus, log });
    const sockets = createSockets({ authenticate, projects, feeds, tickets, presence, log, defaultProject });
    return {
      service: { feeds, countDesktops: presence.countDesktops },
      routes: [
        ...eventRoutes({ projects }),
        ...socketRoutes({ sockets, tickets, accessCookie }),
        ...presenceRoutes(presence),
      ],
      start: async () => sockets.start(),
      async stop() {
        sockets.stop();
        await presence.idle();
      },
    };
  },
});
