import { type FieldDefinition, isPluginWidget, type TemplateDefinition, WIDGETS } from '../template/index.ts';

export const LAYOUT_WIDTHS = ['full', 'half', 'third'] as const;
const LAYOUT_BLOCKS = ['markdown_body', 'references', 'assets'] as const;

export interface FieldItem {
  field: string;
  /** Overrides `field_config` and the template. */
  widget?: string | undefined;
  width?: (typeof LAYOUT_WIDTHS)[number] | undefined;
}
/** One of LAYOUT_BLOCKS or a plugin's panel, `plugin:{pluginId}:{panelId}` (spec 2 §2.6). */
export interface BlockItem {
  block: string;
}
export interface LayoutSection {
  label: string;
  collapsed?: boolean | undefined;
  items: (FieldItem | BlockItem)[];
}

export interface Layout {
  sections: LayoutSection[];
  hidden: string[];
}

export interface LayoutFault {
  /** Such as `sections.0.items.2.widget`. */
  field: string;
  message: string;
}

/** From the project's root. */
export const layoutPath = (entityType: string): string => `_Templates/Layouts/${entityType}.layout.json`;

export const isLayoutPath = (path: string): boolean =>
  /^_Templates\/Layouts\/[^/]+\.layout\.json$/.test(path);

const isBlock = (item: FieldItem | BlockItem): item is BlockItem => 'block' in item;

/** In the order of the template. */
export const defaultLayout = ({ fields }: TemplateDefinition): Layout => ({
  sections: [{ label: 'Fields', items: fields.map(({ name }) => ({ field: name })) }],
  hidden: [],
});

/** Unknown fields, duplicates, widgets that cannot show a field. */
export function layoutFaults(layout: Layout, template: TemplateDefinition): LayoutFault[] {
  const known = new Map(template.fields.map((field) => [field.name, field]));
  const placed = new Set<string>();
  const faultOf = (name: string): string | undefined => {
    if (!known.has(name)) return `${template.entity_type} has no field '${name}'`;
    if (placed.has(name)) return `'${name}' is already in the layout`;
    placed.add(name);
    return undefined;
  };
  const ofItem = (item: FieldItem | BlockItem, at: string): LayoutFault[] => {
    if (isBlock(item))
      return isKnownBlock(item.block) ? [] : [{ field: `${at}.block`, message: unknownBlock(item.block) }];
    const message = faultOf(item.field);
    const field = known.get(item.field);
    const widget = field && item.widget !== undefined ? widgetFault(item.widget, field) : undefined;
    return [
      ...(message ? [{ field: `${at}.field`, message }] : []),
      ...(widget ? [{ field: `${at}.widget`, message: widget }] : []),
    ];
  };
  return [
    ...layout.sections.flatMap(({ items }, section) =>
      items.flatMap((item, index) => ofItem(item, `sections.${section}.items.${index}`)),
    ),
    ...layout.hidden.flatMap((name, index) => {
      const message = faultOf(name);
      return message ? [{ field: `hidden.${index}`, message }] : [];
    }),
  ];
}

const isKnownBlock = (block: string): boolean =>
  (LAYOUT_BLOCKS as readonly string[]).includes(block) || isPluginWidget(block);

const unknownBlock = (block: string): string =>
  `'${block}' is not a block: use one of ${LAYOUT_BLOCKS.join(', ')} and plugin:{plugin}:{panel}`;

function widgetFault(id: string, { name, type }: FieldDefinition): string | undefined {
  if (isPluginWidget(id)) return undefined;
  const fitting = WIDGETS.filter(({ value_types }) => value_types.includes(type)).map((widget) => widget.id);
  if (fitting.includes(id)) return undefined;
  const what = WIDGETS.some((widget) => widget.id === id) ? 'cannot show' : 'is not a widget for';
  return `'${id}' ${what} '${name}' (${type}); ${fitting.join(', ')} can`;
}

/** Neither placed nor hidden, such as fields added to the template later. */
export function unplacedFields(
  { sections, hidden }: Layout,
  { fields }: { fields: readonly { name: string }[] },
): string[] {
  const items = sections.flatMap((section) => section.items);
  const named = new Set([...items.flatMap((item) => (isBlock(item) ? [] : [item.field])), ...hidden]);
  return fields.map(({ name }) => name).filter((name) => !named.has(name));
}

/** By field. */
export const chosenWidgets = ({ sections }: Layout): ReadonlyMap<string, string> =>
  new Map(
    sections
      .flatMap(({ items }) => items)
      .flatMap((item) => (isBlock(item) || item.widget === undefined ? [] : [[item.field, item.widget]])),
  );
