import type { PluginParts } from '../data/plugins/parts.ts';
import { late } from '../kit/ui/late.tsx';

/** What pages of other features show of plugins, loaded where an enabled plugin has something to show. */
export const PLUGIN_PARTS: PluginParts = {
  Panels: late(async () => (await import('../features/plugins/frame/panels.tsx')).Panels),
  Tab: late(async () => (await import('../features/plugins/frame/plugin-tab.tsx')).PluginTab),
  Widget: late(async () => (await import('../features/plugins/frame/plugin-widget.tsx')).PluginWidget),
};
