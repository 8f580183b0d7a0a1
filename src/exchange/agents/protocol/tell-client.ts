import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { ResourceListener } from '../resources/watch-resources.ts';

/** Passes news of resources on to a client; one that has gone needs none. */
export const tellClient = (server: Server): ResourceListener => ({
  changed: (uri) => void server.sendResourceUpdated({ uri }).catch(() => {}),
  listChanged: () => void server.sendResourceListChanged().catch(() => {}),
});
