import type { Bus } from '../../../platform/bus/bus.ts';
import type { Scope } from '../../records/index.ts';
import { pluginChanged } from '../plugins.events.ts';

export interface ElsewhereOptions<Opened extends Scope> {
  bus: Bus;
  guestPlugins: {
    of(project: Opened): Promise<readonly { folder: { id: string } }[]>;
    forget(project: Opened): void;
  };
  calls: { end(project: Opened, pluginId: string): Promise<void> };
  follower: { lookAgain(project: Opened): void };
  follow(project: Opened): void;
  inBackground(project: Opened, work: Promise<void>): void;
}

/** A plugin that another process of a cloud disabled, removed or replaced ends here too, while its project is open. */
export function createChangesElsewhere<Opened extends Scope>({
  bus,
  guestPlugins,
  calls,
  follower,
  follow,
  inBackground,
}: ElsewhereOptions<Opened>) {
  const subscriptions = new Map<Opened, () => void>();

  async function changed(project: Opened, pluginId: string | null): Promise<void> {
    guestPlugins.forget(project);
    follower.lookAgain(project);
    const running = await guestPlugins.of(project);
    if (pluginId !== null && !running.some(({ folder }) => folder.id === pluginId))
      await calls.end(project, pluginId);
    follow(project);
  }

  function leave(project: Opened): void {
    subscriptions.get(project)?.();
    subscriptions.delete(project);
  }

  return {
    leave,
    leaveAll(): void {
      for (const project of subscriptions.keys()) leave(project);
    },
    hear(project: Opened): void {
      const end = bus.follow(project.tenantId, [pluginChanged], (event, { projectId }) => {
        if (event.type === 'events_missed') inBackground(project, changed(project, null));
        else if (projectId === project.projectId) inBackground(project, changed(project, event.plugin_id));
      });
      subscriptions.set(project, end);
    },
  };
}
