import { Suspense, useEffect, useRef } from 'react';
import { pluginParts } from '../../data/plugins/plugins.ts';
import { type RunningCommand, runningCommand } from '../../data/plugins/run-command.ts';
import { useStore } from '../../data/store.ts';
import { useWorld } from '../../data/world.tsx';
import { type Plugin, panelsAt } from '../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { useVisit } from '../../kit/router/router.ts';
import { late } from '../../kit/ui/late.tsx';
import { appTexts } from '../app-texts.ts';
import { SidebarEntries, SidebarEntry } from '../frame/sidebar-entry.tsx';
import { usePluginCommands } from './plugin-commands.ts';

const PARTS = {
  Panels: late(async () => (await import('../../features/plugins/frame/panels.tsx')).Panels),
  Tab: late(async () => (await import('../../features/plugins/frame/plugin-tab.tsx')).PluginTab),
  Widget: late(async () => (await import('../../features/plugins/frame/plugin-widget.tsx')).PluginWidget),
};

const PluginCommand = late(
  async () => (await import('../../features/plugins/frame/plugin-command.tsx')).PluginCommand,
  { isAbove: true },
);

const closeCommand = () => runningCommand.set(null);

/** The command that is open. It goes with the page on which it was called. */
function useCommandOfPage(): RunningCommand | null {
  const visit = useVisit();
  const lastVisit = useRef(visit);
  useEffect(() => {
    if (lastVisit.current !== visit) closeCommand();
    lastVisit.current = visit;
  }, [visit]);
  useEffect(() => closeCommand, []);
  return useStore(runningCommand);
}

/** Adds the entries of enabled plugins to the navigation and the commands of every page of a world, and their parts to other pages. */
export function EnabledPlugins({ plugins }: { plugins: readonly Plugin[] }) {
  const texts = useTexts(appTexts);
  const { project } = useWorld();
  const command = useCommandOfPage();
  usePluginCommands(project, plugins);
  useEffect(() => {
    pluginParts.set({ ...PARTS, panelsAt: (location, type) => panelsAt(plugins, location, type) });
    return () => pluginParts.set(null);
  }, [plugins]);
  const entries = plugins.flatMap(({ id: plugin, pages }) =>
    pages.map(({ id, title }) => (
      <SidebarEntry
        key={`${plugin} ${id}`}
        place={{ screen: 'plugin', project, plugin, page: id }}
        label={title}
      />
    )),
  );
  return (
    <>
      {entries.length > 0 && <SidebarEntries heading={texts.plugins}>{entries}</SidebarEntries>}
      <Suspense>
        {command?.project === project && <PluginCommand running={command} onClose={closeCommand} />}
      </Suspense>
    </>
  );
}
