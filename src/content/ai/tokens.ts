const LETTERS_PER_TOKEN = 3;
const TOKENS_PER_FOREIGN_CHARACTER = 1.5;

/**
 * More tokens than models count, so that a context that fits by this fits: one for three ASCII letters or spaces, one for each other
 * ASCII character, three for two of any other. Prose counts about a third more than it does in practice.
 */
export function mostTokensIn(text: string): number {
  const letters = text.match(/[A-Za-z ]/g)?.length ?? 0;
  const others = text.match(/[^ -~\s]/g)?.length ?? 0;
  const marks = text.length - letters - others;
  return Math.ceil(letters / LETTERS_PER_TOKEN + marks + others * TOKENS_PER_FOREIGN_CHARACTER);
}
