import { asciiWords } from '../../text/letters.ts';
import { isReservedKey } from '../frontmatter/index.ts';
import { MANIFEST_LIMITS } from './limits.ts';
import { quoted } from './report.ts';

/** Routes beside `/api/plugins/{id}`. */
const ROUTES: readonly string[] = ['upload', 'panel', 'policy', 'catalog', 'findings'];

const PLUGIN_ID = new RegExp(`^[a-z][a-z0-9-]{0,${MANIFEST_LIMITS.id - 1}}$`);
const PART_ID = new RegExp(`^[a-z0-9][a-z0-9_-]{0,${MANIFEST_LIMITS.id - 1}}$`);
const TIER = /^[a-z][a-z0-9_-]{0,31}$/;
const SETTING_KEY = new RegExp(`^[A-Za-z_][A-Za-z0-9_.-]{0,${MANIFEST_LIMITS.id - 1}}$`);

const NUMBER = '(?:0|[1-9]\\d*)';
const EARLY_PART = `(?:${NUMBER}|\\d*[A-Za-z-][0-9A-Za-z-]*)`;
const SEMVER = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-${EARLY_PART}(?:\\.${EARLY_PART})*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);

/** Null if a plugin may have this id. */
export function pluginIdFault(id: string): string | null {
  if (!PLUGIN_ID.test(id)) {
    const better = asciiWords(id.slice(0, MANIFEST_LIMITS.line), '-');
    const advice = better !== id && PLUGIN_ID.test(better) ? `; write "${better}"` : '';
    return `the id ${quoted(id)} is none: it has up to ${MANIFEST_LIMITS.id} lower-case letters, digits and hyphens, and begins with a letter${advice}`;
  }
  if (ROUTES.includes(id))
    return `the id "${id}" is taken: /api/plugins/${id} is a route of its own; choose another`;
  return isReservedKey(id) ? `the id "${id}" is reserved; choose another` : null;
}

export const isPluginId = (id: string): boolean => pluginIdFault(id) === null;

/** The marks of trust are words of whoever grants them. */
export const isTrustTier = (text: string): boolean => TIER.test(text);

/** Of a panel, widget, page or command. */
export const isPartId = (id: string): boolean => PART_ID.test(id) && !isReservedKey(id);

/** Not `toString` and the like, which every object has. */
export const isSettingKey = (key: string): boolean => SETTING_KEY.test(key) && !(key in Object.prototype);

/** Semantic versioning 2.0.0. */
export const isSemver = (version: string): boolean =>
  version.length <= MANIFEST_LIMITS.line && SEMVER.test(version);
