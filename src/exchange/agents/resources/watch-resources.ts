import { messageOf } from '../../../kit/errors.ts';
import type { RouteCaller } from '../../../kit/http/route-calls.ts';
import type { Log } from '../../../kit/log.ts';
import type { Projects } from '../../../world/projects/index.ts';
import type { FeedEvent, Feeds } from '../../realtime/index.ts';
import type { AgentSession } from '../agent.ts';
import { addressText } from './resource-address.ts';

export interface ResourceListener {
  /** A resource that the session has subscribed to. */
  changed(uri: string): void;
  listChanged(): void;
}

/** Tells a listener of changes until the returned function is called. 404 if there is no such project. */
export type WatchResources = (
  caller: Pick<RouteCaller, 'tenantId' | 'projectId'>,
  session: AgentSession,
  listener: ResourceListener,
) => Promise<() => void>;

export interface WatchOptions {
  projects: Projects;
  feeds: Feeds;
  log: Log;
}

/** Between two notices that the list changed: an import makes many entities. */
const LIST_EVERY_MS = 1_000;

export function createWatchResources({ projects, feeds, log }: WatchOptions): WatchResources {
  return async ({ tenantId, projectId }, session, listener) => {
    const { project, release } = await projects.borrow(tenantId, projectId, {
      beginning: 'starter',
      create: false,
    });
    const list = createCalm(listener.listChanged);
    const look = async ({ entityType, entityId, text }: FeedEvent): Promise<void> => {
      if (entityType === null || entityId === null) return;
      const { action } = JSON.parse(text) as { action?: string };
      if (action !== 'update') list.notice();
      const uri = addressText({ kind: 'entity', parts: [entityType, entityId] });
      if ((await session.subscriptions()).includes(uri)) listener.changed(uri);
    };
    try {
      const { leave } = await feeds.join(project, {
        event: (event) =>
          void look(event).catch((error: unknown) =>
            log.warn(`an agent was not told of a change: ${messageOf(error)}`),
          ),
        reset: list.notice,
      });
      return () => {
        leave();
        list.stop();
        release();
      };
    } catch (error) {
      release();
      throw error;
    }
  };
}

/** Passes on the first of many notices at the end of a while. */
function createCalm(tell: () => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    notice(): void {
      timer ??= setTimeout(() => {
        timer = undefined;
        tell();
      }, LIST_EVERY_MS).unref();
    },
    stop: () => clearTimeout(timer),
  };
}
