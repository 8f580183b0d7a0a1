import { SPELLED_LETTERS } from '../../text/letters.ts';

/** British spellings of words in common names of fields and folders. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/colour/, 'color'],
  [/isation/, 'ization'],
  [/artefact/, 'artifact'],
  [/neighbour/, 'neighbor'],
  [/centre(?=s?$)/, 'center'],
];

function plainLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøłđðþı]/g, (letter) => SPELLED_LETTERS[letter] ?? letter);
}

/** A table repeats the same names a hundred thousand times; these many are cached unless longer. */
const MOST_KNOWN = 4_000;
const LONGEST_KNOWN = 100;
const known = new Map<string, readonly string[]>();

/** `birthYear`, `Birth year:` and `birth_year` are one. */
export function wordsOf(name: string): readonly string[] {
  const remembered = known.get(name);
  if (remembered !== undefined) return remembered;
  const words = takenApart(name);
  if (name.length > LONGEST_KNOWN) return words;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(name, words);
  return words;
}

function takenApart(name: string): string[] {
  return plainLetters(name.replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2'))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) =>
      SPELLINGS.reduce((spelled, [british, american]) => spelled.replace(british, american), word),
    );
}

export const keyOf = (name: string): string => wordsOf(name).join('_');

const LONGEST_ID = 100;

/** `Mira Vale` → `mira_vale`; '' if no letter of the name can stand in an id. */
export function idFromName(name: string): string {
  return plainLetters(name)
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, LONGEST_ID)
    .replaceAll(/^_+|_+$/g, '');
}
