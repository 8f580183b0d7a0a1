import { coloursIn, hexOf, type NamedColour } from './hex.ts';

/** A colour in the list. What is no colour stays as it is until somebody changes it. */
export interface Item {
  /** Of this page alone. */
  key: number;
  name: string;
  hex: string | null;
  /** As the field had it; undefined for what was changed or added. */
  raw: unknown;
  /** The entry as it was, with what it had besides a name and a colour, and the names of its keys. */
  map: { entry: Readonly<Record<string, unknown>>; hexKey: string; nameKey: string } | null;
}

export interface Palette {
  /** Entries are texts, `Deep sea #0b3d5c`, or objects with `name` and `hex`. */
  form: 'texts' | 'maps';
  items: readonly Item[];
}

export const MOST_COLOURS = 200;

const HEX_KEYS = ['hex', 'color', 'colour', 'value', 'code'];
const NAME_KEYS = ['name', 'label', 'title'];

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

let lastKey = 0;

function itemOf(name: string, hex: string | null, more: Partial<Item> = {}): Item {
  lastKey += 1;
  return { key: lastKey, name, hex, raw: undefined, map: null, ...more };
}

function readItem(raw: unknown): Item {
  if (isMap(raw)) return readMap(raw);
  if (typeof raw !== 'string') return itemOf(raw === null ? '' : String(raw), null, { raw });
  const hex = hexOf(raw);
  if (hex !== null) return itemOf('', hex, { raw });
  const [found, ...others] = coloursIn(raw);
  const isOne = found !== undefined && others.length === 0;
  return isOne ? itemOf(found.name, found.hex, { raw }) : itemOf(raw, null, { raw });
}

function readMap(entry: Readonly<Record<string, unknown>>): Item {
  const hexKey = HEX_KEYS.find((key) => typeof entry[key] === 'string') ?? 'hex';
  const nameKey = NAME_KEYS.find((key) => typeof entry[key] === 'string') ?? 'name';
  const [hex, name] = [entry[hexKey], entry[nameKey]];
  return itemOf(typeof name === 'string' ? name : '', typeof hex === 'string' ? hexOf(hex) : null, {
    raw: entry,
    map: { entry, hexKey, nameKey },
  });
}

/** A field without a value, or with a single one, is a list too. */
export function readPalette(value: unknown): Palette {
  const list = Array.isArray(value)
    ? value
    : value === null || value === undefined || value === ''
      ? []
      : [value];
  return { form: list.some(isMap) ? 'maps' : 'texts', items: list.map(readItem) };
}

function writeItem({ name, hex, raw, map }: Item, form: Palette['form']): unknown {
  if (raw !== undefined) return raw;
  if (map !== null) return { ...map.entry, [map.nameKey]: name, [map.hexKey]: hex ?? '' };
  if (form === 'maps') return { name, hex: hex ?? '' };
  return [name, hex ?? ''].filter((part) => part !== '').join(' ');
}

export const writePalette = ({ form, items }: Palette): unknown[] =>
  items.map((item) => writeItem(item, form));

/** Limited to the room that there is. */
export const add = (palette: Palette, colours: readonly NamedColour[], most = MOST_COLOURS): Palette => ({
  ...palette,
  items: [...palette.items, ...colours.map(({ name, hex }) => itemOf(name, hex))].slice(
    0,
    Math.max(most, palette.items.length),
  ),
});

export const remove = (palette: Palette, key: number): Palette => ({
  ...palette,
  items: palette.items.filter((item) => item.key !== key),
});

export const change = (palette: Palette, key: number, to: Partial<NamedColour>): Palette => ({
  ...palette,
  items: palette.items.map((item) => (item.key === key ? { ...item, ...to, raw: undefined } : item)),
});

/** By so many places; not beyond the ends. */
export function move(palette: Palette, key: number, by: number): Palette {
  const from = palette.items.findIndex((item) => item.key === key);
  const to = Math.min(Math.max(from + by, 0), palette.items.length - 1);
  const item = palette.items[from];
  if (item === undefined || from === to) return palette;
  const items = palette.items.toSpliced(from, 1).toSpliced(to, 0, item);
  return { ...palette, items };
}
