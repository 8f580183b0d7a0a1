import { textFault } from '../frontmatter/index.ts';
import { memberOf, type Part } from './json-part.ts';
import { MANIFEST_LIMITS } from './limits.ts';
import { quoted, type Report } from './report.ts';
import { pathFault } from './safe-path.ts';

/** These could hide something from people who read before they consent: controls, and marks that turn the direction. */
const HIDDEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** True for a text that shows people all that it has. */
export const isPlainLine = (text: string): boolean =>
  text.trim() !== '' && text.isWellFormed() && !HIDDEN.test(text);

/** Null, with a warning, if the part is no text of one line; null without one if there is none. Spaces are collapsed. */
export function lineOf(
  report: Report,
  part: Part | undefined,
  most: number = MANIFEST_LIMITS.line,
): string | null {
  const text = textOf(report, part, most);
  if (text === null || part === undefined) return null;
  const line = text.replaceAll(/\s+/g, ' ');
  if (!HIDDEN.test(line)) return line;
  report.warn(part, 'this text has control characters, and is left out; remove them');
  return null;
}

/** As `lineOf`, but of any number of lines. */
export function textOf(report: Report, part: Part | undefined, most: number): string | null {
  if (part === undefined) return null;
  const fault = faultOfText(part, most);
  if (fault !== null) {
    report.warn(part, fault);
    return null;
  }
  return String(part.value).trim() || null;
}

function faultOfText(part: Part, most: number): string | null {
  const { value }: { value?: unknown } = part;
  if (typeof value !== 'string')
    return `this must be a text in double quotes, not ${kindOf(part)}; it is left out`;
  if (value.length > most) return `this text has more than ${most} characters, and is left out`;
  const fault = textFault(value);
  return fault === null ? null : `${fault}; this text is left out`;
}

const KINDS: Readonly<Record<Part['type'], string>> = {
  object: 'an object',
  array: 'a list',
  property: 'a pair',
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
};

export const kindOf = (part: Part): string => KINDS[part.type];

export function lineIn(report: Report, map: Part, ...names: readonly string[]): string | null {
  return lineOf(report, memberOf(map, ...names));
}

/** Undefined, with a warning, if it is there but no object. */
export function objectIn(report: Report, map: Part | undefined, name: string): Part | undefined {
  const part = memberOf(map, name);
  if (part === undefined || part.type === 'object') return part;
  report.warn(part, `${name} is an object in braces, not ${kindOf(part)}; it is left out`);
  return undefined;
}

/** True or false, also as a text; null, with a warning, if it is neither; null without one if it is absent. */
export function switchIn(report: Report, map: Part, ...names: readonly string[]): boolean | null {
  const part = memberOf(map, ...names);
  if (part === undefined) return null;
  if (part.value === true || part.value === 'true') return true;
  if (part.value === false || part.value === 'false') return false;
  report.warn(part, `this must be true or false, not ${kindOf(part)}; it is left out`);
  return null;
}

/** Null, with a warning that `what` (such as `the icon`) is left out, unless it is safe below the plugin's folder. */
export function pathOf(report: Report, part: Part | undefined, what: string): string | null {
  if (part === undefined) return null;
  const { value }: { value?: unknown } = part;
  const fault =
    typeof value === 'string'
      ? (pathFault(value) ?? hiddenFault(value))
      : `a path is a text, not ${kindOf(part)}`;
  if (typeof value === 'string' && fault === null) return value;
  const path = typeof value === 'string' ? ` the path ${quoted(value)} cannot be used, since` : '';
  report.warn(part, `${what} is left out:${path} ${fault}`);
  return null;
}

/** Such files are no part of a world, so nobody would find them. */
const hiddenFault = (path: string): string | null =>
  path.split('/').some((part) => part.startsWith('.') || part === 'node_modules')
    ? 'hidden files, and those in node_modules, are not installed with a plugin'
    : null;

const IMAGE_PATH = /[./]/;
const ICON_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const EMOJI = /^[\p{Extended_Pictographic}\p{Emoji_Component}\p{So}]{1,16}$/u;

/** True for an icon that is no path. */
export const isIconWord = (text: string): boolean => ICON_NAME.test(text) || EMOJI.test(text);

/** A path if it has a dot or slash, else an emoji or a name. */
export function iconIn(report: Report, map: Part): string | null {
  const part = memberOf(map, 'icon');
  const icon = lineOf(report, part, MANIFEST_LIMITS.path);
  if (icon === null || part === undefined) return null;
  if (IMAGE_PATH.test(icon)) return pathOf(report, part, 'the icon');
  if (isIconWord(icon)) return icon;
  report.warn(
    part,
    `the icon ${quoted(icon)} is none: give the path of a picture, an emoji, or a name of letters, digits, - and _`,
  );
  return null;
}

/** `#` and hexadecimal digits. */
export const isColor = (text: string): boolean => /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text);

/** The texts of a list, or a single one. Those past `most`, and what is no text, are left out with a warning. */
export function lineParts(
  report: Report,
  part: Part | undefined,
  most: number,
): { part: Part; line: string }[] {
  if (part === undefined) return [];
  const items = part.type === 'array' ? (part.children ?? []) : [part];
  return firstOf(report, items, most).flatMap((item) => {
    const line = lineOf(report, item, MANIFEST_LIMITS.path);
    return line === null ? [] : [{ part: item, line }];
  });
}

/** Warns at the first item that is one too many. */
export function firstOf(report: Report, items: readonly Part[], most: number): readonly Part[] {
  const tooMany = items[most];
  if (tooMany !== undefined)
    report.warn(
      tooMany,
      `there are ${items.length}, and no more than ${most} are read; the rest is left out`,
    );
  return items.slice(0, most);
}
