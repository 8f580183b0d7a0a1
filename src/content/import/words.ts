import { SPELLED_LETTERS } from '../letters.ts';

/** British spellings of words that fields and folders are often named with. */
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

/** The words of a name as people or programs write it: `birthYear`, `Birth year:` and `birth_year` are one. */
export function wordsOf(name: string): string[] {
  return plainLetters(name.replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2'))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) =>
      SPELLINGS.reduce((spelled, [british, american]) => spelled.replace(british, american), word),
    );
}

/** Words as one key to compare by. */
export const keyOf = (name: string): string => wordsOf(name).join('_');

const LONGEST_ID = 100;

/** An entity's id made of its name: `Mira Vale` → `mira_vale`; '' when no letter of the name can stand in an id. */
export function idFromName(name: string): string {
  return plainLetters(name)
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, LONGEST_ID)
    .replaceAll(/^_+|_+$/g, '');
}
