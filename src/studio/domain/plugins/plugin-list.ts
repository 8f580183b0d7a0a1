import type { PluginReply } from '../../../world/plugins/plugins.contract.ts';

/** An installed plugin, as the service describes it. */
export type Plugin = PluginReply;
export type PluginPanel = Plugin['panels'][number];
export type PluginWidget = Plugin['widgets'][number];
export type PluginPage = Plugin['pages'][number];
export type PluginCommand = Plugin['commands'][number];
export type PluginSetting = Plugin['settings']['global'][number];
export type PluginPermission = Plugin['permissions'][number];
export type PanelLocation = PluginPanel['location'];

/** A page of a plugin that a frame can show. */
export interface Surface {
  plugin: Plugin;
  id: string;
  title: string;
  url: string;
}

export const isEnabled = ({ state }: Plugin): boolean => state === 'enabled';

/** The panels of enabled plugins at a place of the page of an entity. */
export const panelsAt = (plugins: readonly Plugin[], location: PanelLocation, type: string): Surface[] =>
  plugins
    .filter(isEnabled)
    .flatMap((plugin) =>
      plugin.panels
        .filter((panel) => panel.location === location && isOfType(panel, type))
        .flatMap((panel) => surfaceOf(plugin, panel) ?? []),
    );

export const isOfType = ({ entity_types: types }: PluginPanel, type: string): boolean =>
  types.length === 0 || types.includes(type);

/** Undefined for one whose files are not there. */
export const surfaceOf = (
  plugin: Plugin,
  { id, title, url }: { id: string; title: string; url: string | null },
): Surface | undefined => (url === null ? undefined : { plugin, id, title, url });

/** The names of the permissions that a plugin has. */
export const grantedTo = ({ permissions }: Plugin): ReadonlySet<string> =>
  new Set(permissions.filter(({ state }) => state === 'granted').map(({ permission }) => permission));

const WIDGET = /^plugin:([^:]+):([^:]+)$/;

/** `plugin:{plugin}:{part}`, as layouts, templates and addresses name a panel or a widget. */
export const partName = (plugin: string, part: string): string => `plugin:${plugin}:${part}`;

export function readPartName(text: unknown): { plugin: string; part: string } | null {
  const [, plugin, part] = (typeof text === 'string' && WIDGET.exec(text)) || [];
  return plugin === undefined || part === undefined ? null : { plugin, part };
}

/** The widget of an enabled plugin; undefined where there is none. */
export function widgetNamed(
  plugins: readonly Plugin[],
  name: string,
): { surface: Surface; acceptsOptions: boolean } | undefined {
  const named = readPartName(name);
  const plugin = plugins.find((each) => each.id === named?.plugin && isEnabled(each));
  const widget = plugin?.widgets.find(({ id }) => id === named?.part);
  const surface = plugin && widget && surfaceOf(plugin, { ...widget, title: widget.label });
  return surface && widget && { surface, acceptsOptions: widget.accepts_options };
}

/** The address of a page within a frame. */
export function frameAddress(
  url: string,
  query: { entity_type: string | null; entity_id: string | null; theme: string },
  base: string,
): string {
  const address = new URL(url, base);
  for (const [name, value] of Object.entries(query))
    if (value !== null) address.searchParams.set(name, value);
  return address.href;
}
