import { useMemo } from 'react';
import { type Command, useCommands } from '../../data/commands.ts';
import { runningCommand } from '../../data/plugins/run-command.ts';
import { addressOf, placeOf } from '../../domain/places.ts';
import type { Plugin } from '../../domain/plugins/plugin-list.ts';
import { goTo } from '../../kit/router/router.ts';

/** Offers the pages and commands of enabled plugins. */
export function usePluginCommands(project: string, enabled: readonly Plugin[]): void {
  useCommands(useMemo(() => enabled.flatMap(commandsOf(project)), [enabled, project]));
}

const commandsOf =
  (project: string) =>
  (plugin: Plugin): Command[] => {
    const { id: name, pages, commands } = plugin;
    const go = (page: string) => () => goTo(addressOf({ screen: 'plugin', project, plugin: name, page }));
    const ofPages = pages.map(
      ({ id, title }): Command => ({
        id: `page ${name} ${id}`,
        title: titled(plugin, title),
        group: 'go',
        run: go(id),
      }),
    );
    // A command without files of its own leads to the page of its name.
    const ofCommands = commands
      .filter(({ id, url }) => url !== null || pages.some((page) => page.id === id))
      .map(
        (command): Command => ({
          id: `command ${name} ${command.id}`,
          title: titled(plugin, command.title),
          group: 'app',
          run:
            command.url === null
              ? go(command.id)
              : () =>
                  runningCommand.set({ project, plugin: name, command: command.id, entity: entityHere() }),
        }),
      );
    return [...ofPages, ...ofCommands];
  };

/** Nobody takes a command of a plugin for one of the Studio. */
const titled = ({ name }: Plugin, title: string): string => (title === name ? title : `${name}: ${title}`);

function entityHere() {
  const place = placeOf(location.pathname, '');
  return place.screen === 'entity' ? place : null;
}
