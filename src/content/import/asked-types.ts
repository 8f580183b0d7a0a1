import type { Note } from './types.ts';

/** By place (`people.csv:12`), file or folder of the source. Null leaves its notes out. */
export type AskedTypes = ReadonlyMap<string, string | null>;

export interface TypeChoices {
  /** The choice for a note: its own, its file's or its nearest folder's; undefined if there is none. */
  of(note: Pick<Note, 'place' | 'path'>): string | null | undefined;
  /** The places that held none of the notes asked about so far. */
  unused(): string[];
}

/** Looks up the types that the caller chose for places of the source. */
export function createTypeChoices(asked: AskedTypes = new Map()): TypeChoices {
  const choices = new Map([...asked].map(([place, type]) => [place.replace(/\/$/, ''), type] as const));
  const unused = new Set(choices.keys());
  return {
    of({ place, path }) {
      if (choices.size === 0) return undefined;
      const chosen = [place, ...upwards(path)].filter((each) => choices.has(each));
      for (const each of chosen) unused.delete(each);
      const [nearest] = chosen;
      return nearest === undefined ? undefined : choices.get(nearest);
    },
    unused: () => [...unused],
  };
}

/** A path and its folders, nearest first. */
function upwards(path: string): string[] {
  const paths: string[] = [];
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) paths.push(path.slice(0, end));
  return paths;
}
