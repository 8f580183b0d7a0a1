import { isOfType, type Plugin, readPartName, type Surface, surfaceOf } from './plugin-list.ts';

/** Why a panel that a layout places cannot be shown; the names are as good as they are known. */
export interface MissingPanel {
  why: 'not-installed' | Exclude<Plugin['state'], 'enabled'> | 'no-panel' | 'other-type' | 'no-files';
  /** Null where it is not installed. */
  id: string | null;
  plugin: string;
  panel: string;
}

/**
 * The panel that a layout places as `plugin:{plugin}:{panel}`, wherever its manifest wants it; undefined for a name that is
 * none of a panel.
 */
export function placedPanel(
  plugins: readonly Plugin[],
  name: string,
  type: string,
): { surface: Surface } | MissingPanel | undefined {
  const named = readPartName(name);
  if (!named) return undefined;
  const plugin = plugins.find(({ id }) => id === named.plugin);
  if (!plugin) return { why: 'not-installed', id: null, plugin: named.plugin, panel: named.part };
  const panel = plugin.panels.find(({ id }) => id === named.part);
  const names = { id: plugin.id, plugin: plugin.name, panel: panel?.title ?? named.part };
  if (plugin.state !== 'enabled') return { why: plugin.state, ...names };
  if (!panel) return { why: 'no-panel', ...names };
  if (!isOfType(panel, type)) return { why: 'other-type', ...names };
  const surface = surfaceOf(plugin, panel);
  return surface ? { surface } : { why: 'no-files', ...names };
}
