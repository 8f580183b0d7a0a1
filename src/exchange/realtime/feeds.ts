import type { Log } from '../../kit/log.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import { keyOfProject, type Project } from '../../world/records/index.ts';
import { type FeedReader, openProjectFeed, type ProjectFeed } from './project-feed.ts';

/** One feed per project with readers, even if the project is closed and reopened meanwhile. */
export function createFeeds({ bus, log }: { bus: Bus; log: Log }) {
  const feeds = new Map<string, { opening: Promise<ProjectFeed>; users: number }>();

  async function leave(key: string): Promise<void> {
    const known = feeds.get(key);
    if (known === undefined) return;
    known.users -= 1;
    if (known.users > 0) return;
    feeds.delete(key);
    const feed = await known.opening.catch(() => null);
    feed?.stop();
  }

  return {
    async join(project: Project, reader: FeedReader): Promise<{ feed: ProjectFeed; leave(): void }> {
      const key = keyOfProject(project);
      const known = feeds.get(key) ?? { opening: openProjectFeed(project, bus, log), users: 0 };
      known.users += 1;
      feeds.set(key, known);
      try {
        const feed = await known.opening;
        feed.readers.add(reader);
        return {
          feed,
          leave() {
            if (feed.readers.delete(reader)) void leave(key);
          },
        };
      } catch (error) {
        await leave(key);
        throw error;
      }
    },
  };
}

export type Feeds = ReturnType<typeof createFeeds>;
