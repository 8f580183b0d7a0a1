import type { Bus } from '../../../platform/bus/bus.ts';
import type { Project } from '../../records/index.ts';
import { pluginChanged } from '../plugins.events.ts';
import type { ChangeFollower } from './follow-changes.ts';
import type { CallGuests } from './guest-calls.ts';
import type { GuestPlugins } from './running-plugins.ts';

export interface ElsewhereOptions {
  bus: Bus;
  guestPlugins: GuestPlugins;
  calls: CallGuests;
  follower: ChangeFollower;
  follow(project: Project): void;
}

/** A plugin that another process of a cloud disabled, removed or replaced ends here too, while its project is open. */
export function createChangesElsewhere({ bus, guestPlugins, calls, follower, follow }: ElsewhereOptions) {
  const subscriptions = new WeakMap<Project, () => void>();

  async function changed(project: Project, pluginId: string | null): Promise<void> {
    guestPlugins.forget(project);
    follower.lookAgain(project);
    const running = await guestPlugins.of(project);
    if (pluginId !== null && !running.some(({ folder }) => folder.id === pluginId))
      await calls.end(project, pluginId);
    follow(project);
  }

  return {
    hear(project: Project): void {
      const leave = bus.follow(project.tenantId, [pluginChanged], async (event, { projectId }) => {
        if (event.type === 'events_missed') await changed(project, null);
        else if (projectId === project.projectId) await changed(project, event.plugin_id);
      });
      subscriptions.set(project, leave);
    },
    leave(project: Project): void {
      subscriptions.get(project)?.();
      subscriptions.delete(project);
    },
  };
}
