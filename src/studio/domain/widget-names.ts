export type ValueType = 'string' | 'number' | 'boolean' | 'array' | 'object';

const ANY: readonly ValueType[] = ['string', 'number', 'boolean', 'array', 'object'];

/** The types of values that each widget edits. */
const WIDGET_TYPES = {
  text: ['string', 'number'],
  textarea: ['string'],
  number: ['number'],
  range: ['number'],
  year: ['string', 'number'],
  date: ['string', 'number'],
  toggle: ['boolean'],
  select: ['string', 'number', 'boolean'],
  'radio-group': ['string', 'number', 'boolean'],
  tags: ['array'],
  list: ['array'],
  'textarea-array': ['array'],
  'object-array': ['array'],
  object: ['object'],
  color: ['string'],
  'color-palette': ['string', 'array'],
  'color-group': ['object'],
  'percentage-group': ['object'],
  image: ['string'],
  url: ['string'],
  'entity-selector': ['string', 'array', 'object'],
  'read-only-text': ANY,
} as const satisfies Record<string, readonly ValueType[]>;

export type WidgetName = keyof typeof WIDGET_TYPES;

const BY_TYPE = {
  string: 'text',
  number: 'number',
  boolean: 'toggle',
  array: 'list',
  object: 'object',
} as const satisfies Record<ValueType, WidgetName>;

const isWidgetName = (name: string): name is WidgetName => Object.hasOwn(WIDGET_TYPES, name);

export interface ChosenWidget {
  widget: WidgetName;
  /** The one that was asked for, if it does not exist, cannot edit such values, or is one of a plugin. */
  unknownWidget: string | null;
}

/** `plugin:{plugin}:{widget}`: the plugin has it, and may edit any value. */
export const isPluginWidget = (name: string | null): name is string => name?.startsWith('plugin:') === true;

/** The widget that was asked for, else the one of the type. */
export function chooseWidget(asked: unknown, type: ValueType): ChosenWidget {
  if (typeof asked !== 'string' || asked === '') return { widget: BY_TYPE[type], unknownWidget: null };
  const fits = isWidgetName(asked) && WIDGET_TYPES[asked].some((known) => known === type);
  return fits ? { widget: asked, unknownWidget: null } : { widget: BY_TYPE[type], unknownWidget: asked };
}
