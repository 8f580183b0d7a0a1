/**
 * Every line of a text is a word that is written once. The book remembers which words each one replaced, so that a lost
 * word can be told from one that somebody saw and replaced.
 */
export function createBook() {
  const over = new Map<string, readonly string[]>();
  const dropped: string[] = [];
  const doubted = new Set<string>();
  return {
    /** A new word in place of these. */
    write(...replaced: string[]): string {
      const word = `w${over.size}`;
      over.set(word, replaced);
      return word;
    },
    /** Somebody who saw these words removed them. */
    drop: (...words: string[]) => void dropped.push(...words),
    /** Nobody confirmed these words, so they may be lost. */
    doubt(...words: string[]): void {
      for (const word of words) doubted.add(word);
    },
    /** Those that must not be lost. */
    words: (): string[] => [...over.keys()].filter((word) => !doubted.has(word)),
    /** These words, and all that somebody who saw them replaced or removed. */
    accountedFor(words: Iterable<string>): Set<string> {
      const seen = new Set<string>();
      const open = [...words, ...dropped];
      for (let word = open.pop(); word !== undefined; word = open.pop()) {
        if (seen.has(word)) continue;
        seen.add(word);
        open.push(...(over.get(word) ?? []));
      }
      return seen;
    },
  };
}

export type Book = ReturnType<typeof createBook>;

export const LINES = 3;
export const linesOf = (text: string): string[] => text.split('\n');
