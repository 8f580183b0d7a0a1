import { useMemo } from 'react';
import { usePlugins } from '../../data/plugins/plugins.ts';
import { useWorld } from '../../data/world.tsx';
import type { FormField } from '../../domain/form-field.ts';
import { isField, type LayoutItem } from '../../domain/layout-edit.ts';
import {
  isEnabled,
  isOfType,
  type Plugin,
  type PluginPanel,
  partName,
} from '../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { layoutTexts } from './layout-texts.ts';

export interface PartNames {
  fields: ReadonlyMap<string, FormField>;
  /** The panels and links that a form can have, by the ids of their blocks. */
  panels: ReadonlyMap<string, string>;
  links: ReadonlyMap<string, string>;
  nameOf: (item: LayoutItem) => string;
}

/** The fields and panels that a form of a type can have, with names for people. */
export function usePartNames(type: string, fields: readonly FormField[]): PartNames {
  const texts = useTexts(layoutTexts);
  const { project } = useWorld();
  const { data: plugins } = usePlugins(project);
  return useMemo(() => {
    const byName = new Map(fields.map((field) => [field.name, field]));
    const named = (isMeant: (plugin: Plugin, panel: PluginPanel) => boolean) =>
      (plugins ?? []).flatMap((plugin) =>
        plugin.panels
          .filter((panel) => isMeant(plugin, panel))
          .map(({ id, title }) => [partName(plugin.id, id), texts.panel(title, plugin.name)] as const),
      );
    const panels = new Map(named((plugin, panel) => isEnabled(plugin) && isOfType(panel, type)));
    const { assets, ...links } = texts.blocks;
    const blocks = new Map([...named(() => true), ...Object.entries(texts.blocks)]);
    return {
      fields: byName,
      panels,
      links: new Map(Object.entries(links)),
      nameOf: (item) =>
        isField(item)
          ? (byName.get(item.field)?.label ?? item.field)
          : (blocks.get(item.block) ?? item.block),
    };
  }, [type, fields, plugins, texts]);
}
