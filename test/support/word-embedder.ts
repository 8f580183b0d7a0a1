import type { Embedder } from '../../src/platform/embedder/embedder.ts';

export interface WordEmbedder extends Embedder {
  /** In their order. */
  readonly computed: string[];
  /** Texts that are not urgent wait until `goOn`. */
  hold(): void;
  goOn(): void;
}

const DIMENSIONS = 512;

/** Words that mean the same here. */
const MEANINGS: Record<string, string> = { sea: 'ocean', waves: 'ocean', ship: 'boat', vessel: 'boat' };

function placeOf(word: string): number {
  let hash = 7;
  for (const character of MEANINGS[word] ?? word)
    hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 99_991;
  return hash % DIMENSIONS;
}

function vectorOfWords(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS).fill(-0.01);
  for (const word of text.toLowerCase().match(/[a-zäöü]{4,}/g) ?? []) {
    const place = placeOf(word);
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}

/** A stand-in for a model: texts are near that share words. It does its work at once. */
export function createWordEmbedder(model = 'words'): WordEmbedder {
  const computed: string[] = [];
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  return {
    model,
    dimensions: DIMENSIONS,
    computed,
    hold() {
      gate = Promise.withResolvers();
    },
    goOn: () => gate.resolve(),
    async embed(texts, { urgent = false, signal } = {}) {
      if (!urgent) await gate.promise;
      signal?.throwIfAborted();
      computed.push(...texts);
      return texts.map(vectorOfWords);
    },
    close: async () => gate.resolve(),
  };
}
