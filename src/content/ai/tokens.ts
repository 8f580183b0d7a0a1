const LETTERS_PER_TOKEN = 3;
const TOKENS_PER_FOREIGN_CHARACTER = 1.5;

const isLetter = (code: number): boolean =>
  code === 32 || (code >= 97 && code <= 122) || (code >= 65 && code <= 90);

/**
 * More tokens than models count, so that a context that fits by this fits: one for three ASCII letters or spaces, one for each other
 * ASCII character, three for two of any other. Prose counts about a third more than it does in practice.
 */
export function mostTokensIn(text: string): number {
  let [letters, others] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isLetter(code)) letters += 1;
    else if (code > 126) others += 1;
  }
  const marks = text.length - letters - others;
  return Math.ceil(letters / LETTERS_PER_TOKEN + marks + others * TOKENS_PER_FOREIGN_CHARACTER);
}
