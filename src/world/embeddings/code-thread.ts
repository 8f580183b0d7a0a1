import { type CodeIndex, type CodeSearch, createCodeIndex, type PassageCodes } from './code-index.ts';

/** `key` names one state of a project's vectors: those of another model have another. */
export type CodeQuestion =
  | { type: 'known'; key: string }
  | { type: 'add'; key: string; words: number; from: number; upTo: number; passages: PassageCodes }
  | ({ type: 'search'; key: string } & CodeSearch);

/** `upTo` is the number of the last passage that the thread knows, 0 if it knows none of that key. */
export type CodeAnswer = { upTo: number } | { numbers: Float64Array };

interface Held {
  index: CodeIndex;
  upTo: number;
}

/** All projects together; the least recently used is forgotten. Some 200 MB. */
const MOST_PASSAGES = 2_500_000;

/** The thread's work: holds codes by key and searches them. */
export function createCodeThread(mostPassages = MOST_PASSAGES) {
  const held = new Map<string, Held>();

  function use(key: string): Held | undefined {
    const known = held.get(key);
    if (!known) return undefined;
    held.delete(key);
    held.set(key, known);
    return known;
  }

  function makeRoom(): void {
    let total = held.values().reduce((sum, { index }) => sum + index.size(), 0);
    for (const [key, { index }] of held) {
      if (total <= mostPassages || held.size === 1) return;
      total -= index.size();
      held.delete(key);
    }
  }

  return (question: CodeQuestion): CodeAnswer => {
    const known = use(question.key);
    if (question.type === 'known') return { upTo: known?.upTo ?? 0 };
    if (question.type === 'search') return { numbers: known?.index.search(question) ?? new Float64Array() };
    const { key, words, from, upTo, passages } = question;
    // A page that does not follow on the last one would leave a gap: the asker begins again.
    if ((known?.upTo ?? 0) !== from) return { upTo: known?.upTo ?? 0 };
    const entry = known ?? { index: createCodeIndex(words), upTo: 0 };
    entry.index.add(passages);
    entry.upTo = upTo;
    held.set(key, entry);
    makeRoom();
    return { upTo };
  };
}
