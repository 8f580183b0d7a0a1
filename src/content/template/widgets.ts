import type { FieldType, ItemType } from './types.ts';

type Shape = { type: FieldType; items?: ItemType | undefined; reference: boolean; options: boolean };

/** The first match wins. */
const BY_NAME: readonly { pattern: RegExp; types: readonly FieldType[]; widget: string }[] = [
  {
    pattern: /(^|_)colou?r_palette$|(^|_)palette$/,
    types: ['string', 'array'],
    widget: 'color-palette',
  },
  { pattern: /(^|_)colou?rs$/, types: ['array'], widget: 'color-palette' },
  { pattern: /(^|_)colou?r$/, types: ['string'], widget: 'color' },
  { pattern: /(^|_)year$/, types: ['string', 'number'], widget: 'year' },
  { pattern: /(^|_)date$/, types: ['string'], widget: 'date' },
  { pattern: /(^|_)(image|portrait|icon|thumbnail|logo|map_image)$/, types: ['string'], widget: 'image' },
  { pattern: /(^|_)(url|website|link)$/, types: ['string'], widget: 'url' },
  {
    pattern:
      /(^|_)(description|summary|notes|biography|backstory|history|background|overview|synopsis|instructions)$/,
    types: ['string'],
    widget: 'textarea',
  },
  { pattern: /(^|_)(tags|keywords|aliases)$/, types: ['array'], widget: 'tags' },
];

const BY_TYPE: Readonly<Record<FieldType, string>> = {
  string: 'text',
  number: 'number',
  boolean: 'toggle',
  array: 'list',
  object: 'object',
};

/** For the words of explicit `fields:` entries. */
const BY_DECLARED: ReadonlyMap<string, string> = new Map([
  ['text', 'textarea'],
  ['textarea', 'textarea'],
  ['markdown', 'textarea'],
  ['date', 'date'],
  ['year', 'year'],
  ['color', 'color'],
  ['colour', 'color'],
  ['image', 'image'],
  ['url', 'url'],
  ['range', 'range'],
  ['tags', 'tags'],
  ['select', 'select'],
  ['enum', 'select'],
  ['radio', 'radio-group'],
]);

/** From `field_config`, then an explicit entry, then the name, then the value's type. */
export function widgetOf(
  name: string,
  shape: Shape,
  configured: unknown,
  declared: string | undefined,
): string {
  if (typeof configured === 'string' && configured !== '') return configured;
  if (shape.reference) return 'entity-selector';
  const wanted = declared === undefined ? undefined : BY_DECLARED.get(declared);
  if (wanted !== undefined) return wanted;
  const named = BY_NAME.find((rule) => rule.types.includes(shape.type) && rule.pattern.test(name));
  if (named !== undefined) return named.widget;
  if (shape.options && shape.type === 'string') return 'select';
  return BY_TYPE[shape.type];
}
