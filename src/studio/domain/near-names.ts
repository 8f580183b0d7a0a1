interface Named {
  type: string;
  id: string;
}

const SHORTEST = 3;
const MOST_WORDS = 8;

/**
 * Names that begin like the words of a text that nothing has: of each word as much as it takes to find any. `search`
 * looks for names.
 */
export function nearNames<Hit extends Named>(
  text: string,
  search: (text: string) => readonly Hit[],
  most: number,
): Hit[] {
  const found = new Map<string, Hit>();
  for (const word of text.split(/\s+/u).slice(0, MOST_WORDS))
    for (const hit of longestHits(word, search)) found.set(`${hit.type}/${hit.id}`, hit);
  return [...found.values()].slice(0, most);
}

function longestHits<Hit>(word: string, search: (text: string) => readonly Hit[]): readonly Hit[] {
  for (let length = word.length; length >= SHORTEST; length -= 1) {
    const hits = search(word.slice(0, length));
    if (hits.length > 0) return hits;
  }
  return [];
}
