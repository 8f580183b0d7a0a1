import type { JsonMap } from '../../text/json.ts';
import { METADATA_KEYS, TEMPLATE_CATEGORIES } from './metadata.ts';
import { defaultLayout } from './names.ts';
import type { LineOf, TemplateProblem, TemplateSource } from './types.ts';

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A list of lines is text too. */
export function textOrLines(value: unknown): string {
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('\n') : textOf(value);
}

/** YAML reads an unquoted `2.0` as the number 2. '' for what is no version. */
export function versionText(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? `${value}.0` : String(value);
  return textOf(value);
}

export function sourceOf(path: string): TemplateSource {
  const folder = /(?:^|\/)_Templates\/(Core|Standard)\//.exec(path)?.[1];
  return folder === 'Core' ? 'core' : folder === 'Standard' ? 'standard' : 'custom';
}

/** No separators, not hidden, not one of the project's `_` folders, portable. */
function isFolderName(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^[^._\s/\\:*?"<>|\p{Cc}][^/\\:*?"<>|\p{Cc}]{0,99}$/u.test(value) &&
    !/[. ]$/.test(value)
  );
}

export interface LayoutOfTemplate {
  folder_name: string;
  file_prefix: string;
  asset_subfolders: string[];
}

/** Whatever is missing or unusable becomes the type's default and is reported. */
export function readLayout(
  type: string,
  data: JsonMap,
  lineOf: LineOf,
  problems: TemplateProblem[],
): LayoutOfTemplate {
  const fallback = defaultLayout(type);
  const pick = <T>(key: string, isUsable: (value: unknown) => value is T, otherwise: T): T => {
    const value = data[key];
    if (isUsable(value)) return value;
    if (value !== undefined && value !== null && value !== '') {
      const line = lineOf([key]);
      const message = `${key} ${JSON.stringify(value)} cannot be used, ${JSON.stringify(otherwise)} is`;
      problems.push({ message, severity: 'warning', ...(line === undefined ? {} : { line }) });
    }
    return otherwise;
  };
  const isPrefix = (value: unknown): value is string =>
    typeof value === 'string' && /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,29}$/u.test(value);
  const areFolders = (value: unknown): value is string[] => Array.isArray(value) && value.every(isFolderName);
  return {
    folder_name: pick('folder_name', isFolderName, fallback.folder_name),
    file_prefix: pick('file_prefix', isPrefix, fallback.file_prefix),
    asset_subfolders: pick('asset_subfolders', areFolders, [...fallback.asset_subfolders]),
  };
}

/** A category that the specification does not name is kept and reported. */
export function readCategory(data: JsonMap, lineOf: LineOf, problems: TemplateProblem[]): string {
  const category = textOf(data.template_category);
  if (category === '') return 'entity';
  if (!TEMPLATE_CATEGORIES.has(category)) {
    const line = lineOf(['template_category']);
    const message = `template_category "${category}" is not one of ${[...TEMPLATE_CATEGORIES].join(', ')}`;
    problems.push({ message, severity: 'warning', ...(line === undefined ? {} : { line }) });
  }
  return category;
}

/** As the file has them. */
export function readMetadata(data: JsonMap, fieldNames: ReadonlySet<string>): JsonMap {
  return Object.fromEntries(
    Object.entries(data).filter(([key]) => METADATA_KEYS.has(key) && !fieldNames.has(key)),
  );
}
