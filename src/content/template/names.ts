const TEMPLATE_SUFFIX = '_TEMPLATE';
const TYPE_NAME = /^[a-z0-9][a-z0-9_]{0,63}$/;

export const isTypeName = (text: string): boolean => TYPE_NAME.test(text);

/** `character` → `CHARACTER_TEMPLATE.md`. */
export function templateFileName(entityType: string): string {
  return `${entityType.toUpperCase()}${TEMPLATE_SUFFIX}.md`;
}

/** `character`, `CHARACTER_TEMPLATE` or `CHARACTER_TEMPLATE.md` → `character`. */
export function templateTypeOfName(name: string): string {
  return name
    .replace(/\.md$/i, '')
    .replace(/_TEMPLATE$/i, '')
    .toLowerCase();
}

/** In snake_case, kebab-case or camelCase. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .split(/[\s_-]+/)
    .filter((word) => word !== '');
}

function capitalized(word: string): string {
  const first = String.fromCodePoint(word.codePointAt(0) ?? 32);
  return first.toUpperCase() + word.slice(first.length);
}

/** `style_bible` → `Style Bible`. */
export function titleOf(name: string): string {
  return wordsOf(name).map(capitalized).join(' ');
}

/** `birth_year` → `Birth year`. */
export function labelOf(name: string): string {
  const label = wordsOf(name).join(' ');
  return label === '' ? name : capitalized(label);
}

function pluralOf(word: string): string {
  if (/[^aeiou]y$/i.test(word)) return `${word.slice(0, -1)}ies`;
  if (/(s|x|z|ch|sh)$/i.test(word)) return `${word}es`;
  return `${word}s`;
}

/** For a template that names none. */
export interface TypeLayout {
  folder_name: string;
  file_prefix: string;
  asset_subfolders: readonly string[];
}

const ASSETS = ['images', 'audio', 'data'];
const MAPPED = [...ASSETS, 'maps'];

const SPECIFIED: ReadonlyMap<string, TypeLayout> = new Map(
  (
    [
      ['character', 'Characters', 'CH_', ASSETS],
      ['location', 'Locations', 'LOC_', MAPPED],
      ['district', 'Districts', 'DST_', ASSETS],
      ['brand', 'Brands', 'BR_', ASSETS],
      ['faction', 'Factions', 'FAC_', ASSETS],
      ['item', 'Items', 'ITM_', ASSETS],
      ['job', 'Jobs', 'JOB_', ASSETS],
      ['quest', 'Quests', 'QST_', ASSETS],
      ['campaign', 'Campaigns', 'CMP_', ASSETS],
      ['event', 'Events', 'EVT_', ASSETS],
      ['dialogue', 'Dialogues', 'DLG_', ASSETS],
      ['timeline', 'Timelines', 'TL_', ASSETS],
      ['assembly', 'Assemblies', 'ASM_', ASSETS],
      ['style_bible', 'StyleBibles', 'STY_', ASSETS],
      ['universe', 'Universes', 'UNI_', ASSETS],
      ['biome', 'Biomes', 'BIO_', ['images', 'audio', 'video', 'maps']],
    ] as const
  ).map(([type, folder_name, file_prefix, asset_subfolders]) => [
    type,
    { folder_name, file_prefix, asset_subfolders },
  ]),
);

/** That of spec 1 §2.1; for other types the plural in PascalCase and the upper-case type plus `_`. */
export function defaultLayout(entityType: string): TypeLayout {
  const specified = SPECIFIED.get(entityType);
  if (specified !== undefined) return specified;
  const words = wordsOf(entityType);
  const plural = words.map((word, i) => capitalized(i === words.length - 1 ? pluralOf(word) : word));
  return {
    folder_name: plural.join(''),
    file_prefix: `${entityType.toUpperCase()}_`,
    asset_subfolders: ASSETS,
  };
}
