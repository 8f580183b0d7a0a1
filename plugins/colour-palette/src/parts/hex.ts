const DIGITS = /^#?(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** `#rrggbb` or `#rrggbbaa` in lower case; null for what is no colour. `0bc` and `#0BC` are `#00bbcc`. */
export function hexOf(text: string): string | null {
  const trimmed = text.trim();
  if (!DIGITS.test(trimmed)) return null;
  const digits = trimmed.replace('#', '').toLowerCase();
  return `#${digits.length > 4 ? digits : digits.replace(/./g, '$&$&')}`;
}

export interface NamedColour {
  name: string;
  hex: string;
}

const WITH_SIGN = /([^#\r\n]*)#([0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})(?![0-9a-z])/gi;
const AROUND_NAME = /^[\s,;:=>"'`|\-–—()[\]{}]+|[\s,;:=>"'`|\-–—()[\]{}]+$/g;
const BETWEEN = /[\s,;|/\-–—]+/;
const BARE = /^[0-9a-f]{6}$/i;

/**
 * All colours in a text: `Deep sea: #0b3d5c` in lines, `#abc, #def`, or codes without a sign as in the addresses of
 * palettes, `264653-2a9d8f`.
 */
export function coloursIn(text: string): NamedColour[] {
  const signed = [...text.matchAll(WITH_SIGN)].flatMap(([, before = '', digits = '']) => {
    const hex = hexOf(digits);
    return hex === null ? [] : [{ name: before.replace(AROUND_NAME, ''), hex }];
  });
  return signed.length > 0 ? signed : bareIn(text);
}

/** `facade` is a word as long as nothing else is a code. */
function bareIn(text: string): NamedColour[] {
  const parts = text.split(BETWEEN).filter((part) => part !== '');
  const codes = parts.filter((part) => BARE.test(part));
  const areAll = codes.length === parts.length;
  return codes
    .filter((code) => areAll || /\d/.test(code))
    .flatMap((code) => {
      const hex = hexOf(code);
      return hex === null ? [] : [{ name: '', hex }];
    });
}
