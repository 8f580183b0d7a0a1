import type { Module } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import { DEFAULT_PROJECT } from '../../kit/contract.ts';
import type { Log } from '../../kit/log.ts';
import type { Authenticate } from '../../kit/principal.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { KeyValue } from '../../platform/kv/kv.ts';
import type { Projects } from '../../world/projects/projects.service.ts';
import { eventRoutes } from './events.routes.ts';
import { createFeeds } from './feeds.ts';
import { presenceRoutes } from './presence.routes.ts';
import { createPresence, type PresenceOptions } from './presence.service.ts';
import { socketRoutes } from './socket.routes.ts';
import { createSockets } from './sockets.ts';
import { createTickets } from './tickets.ts';

export interface RealtimeOptions {
  projects: Projects;
  bus: Bus;
  keyValue: KeyValue;
  authenticate: Authenticate;
  log: Log;
  accessCookie: string | undefined;
  clock: Clock;
  nameOf: PresenceOptions['nameOf'];
  /** The project of connections that name none. */
  defaultProject?: (() => string) | undefined;
}

/** Changes as they happen, and what was missed of them. */
export function createRealtimeModule(options: RealtimeOptions): Module {
  const { projects, bus, keyValue, authenticate, log, accessCookie, clock, nameOf } = options;
  const { defaultProject = () => DEFAULT_PROJECT } = options;
  const presence = createPresence({ keyValue, bus, clock, log, nameOf });
  const tickets = createTickets(keyValue);
  const feeds = createFeeds({ bus, log });
  const sockets = createSockets({ authenticate, projects, feeds, tickets, presence, log, defaultProject });
  return {
    name: 'realtime',
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
}
