/**
 * Texts whose every line is one word that was written once. The book remembers which word each was written over, so
 * that it can be told afterwards whether whoever replaced a word had seen it.
 */
export function createBook() {
  const over = new Map<string, readonly string[]>();
  const dropped: string[] = [];
  const doubted = new Set<string>();
  return {
    /** A new word, written in place of these. */
    write(...replaced: string[]): string {
      const word = `w${over.size}`;
      over.set(word, replaced);
      return word;
    },
    /** Somebody who saw these words does not want them any more. */
    drop: (...words: string[]) => void dropped.push(...words),
    /** Nobody said that these words were taken, so they need not be anywhere. */
    doubt(...words: string[]): void {
      for (const word of words) doubted.add(word);
    },
    /** What has to be accounted for. */
    words: (): string[] => [...over.keys()].filter((word) => !doubted.has(word)),
    /** These words, and all that somebody who saw them replaced or did not want. */
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
