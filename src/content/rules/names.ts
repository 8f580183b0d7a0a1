const SUFFIX = '_RULES';

/** Spec 1 §2.3. */
const FOR_ALL_TYPES: ReadonlySet<string> = new Set([
  'content',
  'generation',
  'image_generation',
  'story',
  'voice_generation',
  'world_lore',
]);

export const RULES_FOLDER = '_Rules';

/** A project's switches and severities. */
export const RULE_SETTINGS_PATH = `${RULES_FOLDER}/settings.md`;

/** `character` → `_Rules/CHARACTER_RULES.md`. */
export const rulePath = (key: string): string => `${RULES_FOLDER}/${key.toUpperCase()}${SUFFIX}.md`;

/** `character`, `CHARACTER_RULES` or `CHARACTER_RULES.md` → `character`. */
export function ruleKeyOf(name: string): string {
  return name
    .replace(/\.md$/i, '')
    .replace(/_RULES$/i, '')
    .toLowerCase();
}

/** Null for other paths. */
export function ruleKeyOfPath(path: string): string | null {
  const name = /^_Rules\/([^/]+_RULES)\.md$/.exec(path)?.[1];
  return name === undefined ? null : ruleKeyOf(name);
}

export const isForAllTypes = (key: string): boolean => FOR_ALL_TYPES.has(key);

/** Null: all types. */
export const ruleTypeOf = (key: string): string | null => (isForAllTypes(key) ? null : key);
