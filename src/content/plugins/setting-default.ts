import { isMap } from '../../text/json.ts';
import { isReservedKey, textFault } from '../frontmatter/index.ts';
import { itemsOf, memberOf, numberOf, type Part, pairsOf } from './json-part.ts';
import type { Report } from './report.ts';
import { isColor } from './texts.ts';
import type { PluginSetting, SettingType } from './types.ts';

/** Null, with a warning, if it does not fit the setting's type; null without one if there is none. */
export function defaultOf(report: Report, item: Part, setting: PluginSetting): unknown {
  const part = memberOf(item, 'default');
  if (part === undefined) return null;
  const value = plain(part);
  const fault = storageFault(part) ?? FAULTS[setting.type](value, setting);
  if (fault === null) return value;
  report.warn(part, `the default of "${setting.key}" is left out: ${fault}`);
  return null;
}

function plain(part: Part): unknown {
  if (part.type === 'array') return itemsOf(part).map(plain);
  if (part.type === 'number') return numberOf(part);
  if (part.type !== 'object') return part.value;
  return Object.fromEntries(pairsOf(part).map(({ key, value }) => [key.value, plain(value)]));
}

/** Null for a value that every database keeps, and that reaches no object's prototype. */
function storageFault(part: Part): string | null {
  if (part.type === 'string') return textFault(String(part.value));
  if (part.type === 'number') return numberOf(part) === undefined ? 'its number is too large' : null;
  const keys = part.type === 'object' ? pairsOf(part).map(({ key }) => String(key.value)) : [];
  const reserved = keys.find(isReservedKey);
  if (reserved !== undefined) return `the key "${reserved}" is reserved`;
  const values = part.type === 'object' ? pairsOf(part).map(({ value }) => value) : itemsOf(part);
  return [...keys.map(textFault), ...values.map(storageFault)].find((fault) => fault !== null) ?? null;
}

type Check = (value: unknown, setting: PluginSetting) => string | null;

const check =
  (isFit: (value: unknown) => boolean, fault: string): Check =>
  (value) =>
    isFit(value) ? null : fault;

const isText = (value: unknown): boolean => typeof value === 'string';
const text = check(isText, 'it is no text');

const FAULTS: Readonly<Record<SettingType, Check>> = {
  string: text,
  text,
  entity: text,
  boolean: check((value) => typeof value === 'boolean', 'it is not true or false'),
  integer: (value, setting) =>
    Number.isSafeInteger(value) ? boundFault(value, setting) : 'it is no whole number',
  number: (value, setting) => (typeof value === 'number' ? boundFault(value, setting) : 'it is no number'),
  select: (value, { options = [] }) =>
    options.some((option) => option.value === value) ? null : 'it is none of the options',
  color: check((value) => typeof value === 'string' && isColor(value), 'it is no color such as #2f6f4f'),
  secret: () => 'a secret in the file of a plugin is none',
  object: check(isMap, 'it is no object'),
  'entity-list': check((value) => Array.isArray(value) && value.every(isText), 'it is no list of texts'),
};

function boundFault(value: unknown, { min, max }: PluginSetting): string | null {
  if (min !== undefined && Number(value) < min) return `it is less than ${min}`;
  return max !== undefined && Number(value) > max ? `it is more than ${max}` : null;
}
