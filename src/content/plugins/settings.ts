import { collect, type Source } from './collect.ts';
import { itemsOf, memberOf, type Part, valuesOf } from './json-part.ts';
import { MANIFEST_LIMITS } from './limits.ts';
import { quoted, type Report } from './report.ts';
import { readSetting } from './setting.ts';
import { kindOf, lineOf } from './texts.ts';
import type { PluginManifest, PluginSetting } from './types.ts';

type Scope = keyof PluginManifest['settings'];

const SCOPES = new Map(Object.entries<Scope>({ global: 'global', instance: 'global', user: 'user' }));

/** From `settings` with lists or maps for each scope, and from lists and maps of settings that say theirs. */
export function readSettings(
  report: Report,
  maps: readonly (Part | undefined)[],
): PluginManifest['settings'] {
  const holders = maps.flatMap((map) => memberOf(map, 'settings') ?? []);
  const schemas = maps.flatMap((map) => memberOf(map, 'settings_schema') ?? []);
  const mixed = [...holders.filter(({ type }) => type !== 'object'), ...schemas].map((part) =>
    sourceOf(report, part),
  );
  const settingsOf = (scope: Scope): PluginSetting[] => {
    const own = holders
      .flatMap((holder) => memberOf(holder, scope) ?? [])
      .map((part) => sourceOf(report, part));
    const others = mixed.map(({ list, items }) => ({
      list,
      items: items.filter((item) => scopeOf(report, item) === scope),
    }));
    return collect(report, [...own, ...others], {
      noun: 'setting',
      most: MANIFEST_LIMITS.settings,
      read: (item) => readSetting(report, item),
      // A secret is told by `has_` and its key.
      keysOf: ({ key, type }) => (type === 'secret' ? [key, `has_${key}`] : [key]),
    });
  };
  return { global: settingsOf('global'), user: settingsOf('user') };
}

function sourceOf(report: Report, list: Part): Source {
  if (list.type === 'object') return { list, items: valuesOf(list) };
  if (list.type !== 'array')
    report.warn(list, `settings are a list or an object, not ${kindOf(list)}; this is left out`);
  return { list, items: itemsOf(list) };
}

function scopeOf(report: Report, item: Part): Scope {
  const part = memberOf(item, 'scope');
  const word = lineOf(report, part)?.toLowerCase();
  if (part === undefined || word === undefined) return 'global';
  const scope = SCOPES.get(word);
  if (scope === undefined) {
    report.warn(
      part,
      `there is no scope ${quoted(word)}, so the setting counts for everybody; write instance or user`,
    );
  }
  return scope ?? 'global';
}
