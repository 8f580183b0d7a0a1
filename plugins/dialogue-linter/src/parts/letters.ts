const LETTER = /[\p{L}\p{N}]/u;

/** A letter or digit. Most are found without a pattern, which is slow where guests run. */
export function isLetter(letter: string | undefined): boolean {
  if (letter === undefined || letter === '') return false;
  const code = letter.charCodeAt(0);
  if (code > 127) return LETTER.test(letter);
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}
