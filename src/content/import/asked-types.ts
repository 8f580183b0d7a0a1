import type { Note } from './types.ts';

/** By place (`people.csv:12`), file or folder of the source. Null leaves its notes out. */
export type AskedTypes = ReadonlyMap<string, string | null>;

export interface TypeChoices {
  /** The choice for a note: its own, its file's or its nearest folder's; undefined if there is none. */
  of(note: Pick<Note, 'place' | 'path'>): string | null | undefined;
  /** For a file that may hold no note at all. */
  saw(path: string): void;
  /** The places of nothing that was seen so far. */
  unused(): string[];
}

/** Looks up the types that the caller chose for places of the source. */
export function createTypeChoices(asked: AskedTypes = new Map()): TypeChoices {
  const choices = new Map(
    [...asked].map(([place, type]) => [keyOf(place.replace(/\/$/, '')), type] as const),
  );
  const unused = new Set(choices.keys());
  // All rows of a table share their path.
  let latest = { path: '', chosen: undefined as string | null | undefined };

  function chosenAt(path: string): string | null | undefined {
    if (latest.path !== path) {
      const chosen = upwards(keyOf(path)).filter((each) => choices.has(each));
      for (const each of chosen) unused.delete(each);
      const [nearest] = chosen;
      latest = { path, chosen: nearest === undefined ? undefined : choices.get(nearest) };
    }
    return latest.chosen;
  }

  return {
    of({ place, path }) {
      if (choices.size === 0) return undefined;
      const key = keyOf(place);
      unused.delete(key);
      const around = chosenAt(path);
      return choices.has(key) ? choices.get(key) : around;
    },
    saw: (path) => void chosenAt(path),
    unused: () => [...unused],
  };
}

/** Programs write one name in several ways. */
const keyOf = (place: string): string => place.normalize('NFC');

/** A path and its folders, nearest first. */
function upwards(path: string): string[] {
  const paths: string[] = [];
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) paths.push(path.slice(0, end));
  return paths;
}
