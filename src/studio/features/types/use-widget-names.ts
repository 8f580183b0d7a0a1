import { useWidgets } from '../../data/layouts.ts';
import { useEnabledPlugins } from '../../data/plugins/plugins.ts';
import { useWorld } from '../../data/world.tsx';
import type { FormField } from '../../domain/form-field.ts';
import { partName } from '../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import type { Option } from '../../kit/ui/option-list.tsx';
import { layoutTexts } from './layout-texts.ts';

/** One of a plugin, with the type of the values that it edits; null for any. */
interface PluginWidgetName {
  id: string;
  name: string;
  type: string | null;
}

function usePluginWidgets(): PluginWidgetName[] {
  const texts = useTexts(layoutTexts);
  const { project } = useWorld();
  return useEnabledPlugins(project).flatMap((plugin) =>
    plugin.widgets.map(({ id, label, value_type: type }) => ({
      id: partName(plugin.id, id),
      name: texts.panel(label, plugin.name),
      type,
    })),
  );
}

/** The name of a widget for people; its id where it has none. */
export function useWidgetNames(): (id: string) => string {
  const texts = useTexts(layoutTexts);
  const { data: own = [] } = useWidgets();
  const others = usePluginWidgets();
  return (id) =>
    texts.widgets[id] ??
    own.find((widget) => widget.id === id)?.label ??
    others.find((widget) => widget.id === id)?.name ??
    id;
}

/** The widgets that can show a field, and the one that it has. */
export function useFittingWidgets(field: FormField | undefined, chosen: string | undefined): Option[] {
  const nameOf = useWidgetNames();
  const { data: own = [] } = useWidgets();
  const others = usePluginWidgets();
  const [type = 'string'] = field?.types ?? [];
  const fitting = [
    ...own.filter(({ value_types: types }) => types.includes(type)),
    ...others.filter((widget) => widget.type === null || widget.type === type),
  ].map(({ id }) => id);
  const ids = chosen === undefined || fitting.includes(chosen) ? fitting : [...fitting, chosen];
  return ids.map((id) => ({ id, label: nameOf(id) }));
}
