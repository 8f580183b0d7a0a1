import type { ScalarStyle } from './tree.ts';

export type ScalarContext = 'block' | 'flow';
export type QuoteStyle = 'single' | 'double';

/** Plain scalars that readers of YAML 1.1 or 1.2 do not take for strings. */
const OTHER_TYPE =
  /^(?:~|null|true|false|yes|no|on|off|y|n|=|<<|[-+]?\.(?:inf|nan)|[-+.]?[0-9][0-9a-f_,.:xo+-]*)$/i;
const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
/** No tab, no line break, no invisible space. */
const PRINTABLE =
  /^[\x20-\x7E\u00A1-\u1FFF\u2010-\u2027\u2030-\u205E\u2070-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD\u{10000}-\u{10FFFF}]*$/u;
const PLAIN_START = /^[^\s\-?:,[\]{}#&*!|>'"%@`]/u;
const PLAIN_BREAK = /: |:$| #|[\s]$/;
const FLOW_UNSAFE = /[,[\]{}:?]/;
const ESCAPED = /["\\\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00A0\u00AD\u200B-\u200F\u2060\uFEFF\uFFFE\uFFFF]/gu;
const SHORT_ESCAPES: Record<string, string> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\0': '\\0',
};

/** Also for older YAML readers. */
function isPlainSafe(value: string, context: ScalarContext): boolean {
  if (OTHER_TYPE.test(value) && !DATE.test(value)) return false;
  if (!PLAIN_START.test(value) || PLAIN_BREAK.test(value) || !PRINTABLE.test(value)) return false;
  return context === 'block' || !FLOW_UNSAFE.test(value);
}

/** A string keeps the wished style if that can carry it. */
export function inlineScalar(
  value: unknown,
  wish: ScalarStyle,
  quote: QuoteStyle,
  context: ScalarContext,
): string {
  if (typeof value !== 'string') return String(value);
  const quoted = wish === 'single' || wish === 'double';
  if (!quoted && isPlainSafe(value, context)) return value;
  if (wish === 'double' || !PRINTABLE.test(value)) return doubleQuoted(value);
  if (wish === 'single') return singleQuoted(value);
  if (quote === 'single') return value.includes("'") ? doubleQuoted(value) : singleQuoted(value);
  return /["\\]/.test(value) && !value.includes("'") ? singleQuoted(value) : doubleQuoted(value);
}

function singleQuoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

function doubleQuoted(value: string): string {
  return `"${value.replace(ESCAPED, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) return short;
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
