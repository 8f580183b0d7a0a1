import { memberOf, numberOf, type Part } from './json-part.ts';
import { MANIFEST_LIMITS } from './limits.ts';
import { quoted, type Report } from './report.ts';
import { firstOf, lineIn, lineOf } from './texts.ts';
import type { SettingOption } from './types.ts';

/** Values alone, or with a label each. None, with a warning, if there is nothing to choose. */
export function readOptions(report: Report, item: Part, key: string): SettingOption[] {
  const list = memberOf(item, 'options', 'choices', 'enum');
  const parts = list?.type === 'array' ? firstOf(report, list.children ?? [], MANIFEST_LIMITS.options) : [];
  const options = new Map<unknown, SettingOption>();
  for (const part of parts) {
    const option = readOption(report, part);
    if (option === null) continue;
    if (options.has(option.value))
      report.warn(part, `the option ${quoted(option.value)} stands before, and is left out here`);
    else options.set(option.value, option);
  }
  if (options.size === 0) {
    report.warn(
      list ?? item,
      `the select "${key}" has nothing to choose from, and is left out: list its options`,
    );
  }
  return [...options.values()];
}

function readOption(report: Report, part: Part): SettingOption | null {
  const holder = part.type === 'object' ? memberOf(part, 'value', 'id') : part;
  const value = numberOf(holder ?? {}) ?? lineOf(report, holder);
  if (holder === undefined)
    report.warn(part, 'an option is a text, a number, or an object with a value; it is left out');
  if (value === null) return null;
  const label = part.type === 'object' ? lineIn(report, part, 'label', 'title', 'name') : null;
  return { value, label: label ?? String(value) };
}
