import { labelOf } from '../template/index.ts';
import { keyOf, memberOf, numberOf, type Part } from './json-part.ts';
import { MANIFEST_LIMITS } from './limits.ts';
import { isSettingKey } from './names.ts';
import { quoted, type Report } from './report.ts';
import { defaultOf } from './setting-default.ts';
import { readOptions } from './setting-options.ts';
import { kindOf, lineIn, lineOf, switchIn, textOf } from './texts.ts';
import { type PluginSetting, SETTING_TYPES, type SettingType } from './types.ts';

/** Null, with a warning, if nobody could give it a value. */
export function readSetting(report: Report, item: Part): PluginSetting | null {
  const key = settingKey(report, item);
  if (key === null) return null;
  const type = typeOf(report, item, key);
  if (type === null) return null;
  const options = type === 'select' ? readOptions(report, item, key) : undefined;
  if (options?.length === 0) return null;
  const setting: PluginSetting = {
    key,
    label: lineIn(report, item, 'label', 'title') ?? labelOf(key),
    type,
    description: textOf(report, memberOf(item, 'description'), MANIFEST_LIMITS.description),
    required: switchIn(report, item, 'required') ?? false,
    default: null,
    ...(options === undefined ? {} : { options }),
    ...(type === 'integer' || type === 'number' ? boundsOf(report, item) : {}),
  };
  return { ...setting, default: defaultOf(report, item, setting) };
}

/** Said by the setting, or beside it in a map. */
function settingKey(report: Report, item: Part): string | null {
  if (item.type !== 'object') {
    report.warn(item, `a setting is an object with a key and a type, not ${kindOf(item)}; it is left out`);
    return null;
  }
  const part = keyOf(item) ?? memberOf(item, 'key', 'id', 'name');
  const { value }: { value?: unknown } = part ?? {};
  if (typeof value === 'string' && isSettingKey(value)) return value;
  const fault = part === undefined ? 'has no key' : `has the key ${quoted(value)}, which cannot be used`;
  const rule = `up to ${MANIFEST_LIMITS.id} letters, digits, _, - and dots, with a letter or _ first`;
  report.warn(part ?? item, `this setting ${fault}, and is left out: a key has ${rule}`);
  return null;
}

const SYNONYMS = new Map(
  Object.entries<SettingType>({
    bool: 'boolean',
    toggle: 'boolean',
    int: 'integer',
    float: 'number',
    textarea: 'text',
    enum: 'select',
    colour: 'color',
    password: 'secret',
    json: 'object',
    entities: 'entity-list',
  }),
);

/** Without a type, a setting is a string, or a select if it has options. Null, with a warning, if it is unknown. */
function typeOf(report: Report, item: Part, key: string): SettingType | null {
  const part = memberOf(item, 'type');
  if (part === undefined)
    return memberOf(item, 'options', 'choices', 'enum') === undefined ? 'string' : 'select';
  const word = lineOf(report, part)?.toLowerCase().replaceAll('_', '-') ?? '';
  const type = SETTING_TYPES.find((known) => known === word) ?? SYNONYMS.get(word);
  if (type === undefined) {
    const known = SETTING_TYPES.join(', ');
    report.warn(
      part,
      `the setting "${key}" has the type ${quoted(part.value)}, which is none, and is left out; known are ${known}`,
    );
  }
  return type ?? null;
}

function boundsOf(report: Report, item: Part): { min?: number; max?: number } {
  const min = boundIn(report, item, 'min', 'minimum');
  const max = boundIn(report, item, 'max', 'maximum');
  if (min !== undefined && max !== undefined && min > max) {
    report.warn(item, `no number is at least ${min} and at most ${max}; both bounds are left out`);
    return {};
  }
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

function boundIn(report: Report, item: Part, ...names: readonly string[]): number | undefined {
  const part = memberOf(item, ...names);
  const bound = part && numberOf(part);
  if (part !== undefined && bound === undefined)
    report.warn(part, 'this bound is no number, and is left out');
  return bound;
}
