import { MASK } from './mask.ts';

const MASKS = new RegExp(`${MASK}+`, 'g');
const LETTERS = { before: 24, after: 24 };

/** Says where something is, of one text. */
export function createPlaces(text: string) {
  let starts: number[] | null = null;

  function startsOfLines(): number[] {
    const found = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) found.push(at + 1);
    return found;
  }

  return {
    /** From 1. */
    lineOf(at: number): number {
      starts ??= startsOfLines();
      let [low, high] = [0, starts.length];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if ((starts[middle] ?? 0) <= at) low = middle;
        else high = middle;
      }
      return low + 1;
    },
    near(at: number): string {
      const from = Math.max(0, at - LETTERS.before);
      const to = Math.min(text.length, at + LETTERS.after);
      const words = text.slice(from, to).replace(MASKS, '').replace(/\s+/g, ' ').trim();
      return `${from > 0 ? '…' : ''}${words}${to < text.length ? '…' : ''}`;
    },
  };
}

export type Places = ReturnType<typeof createPlaces>;
