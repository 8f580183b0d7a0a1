/** Letters that may follow others, as often as they do. */
type Followers = ReadonlyMap<string, readonly string[]>;

export interface Model {
  order: number;
  followers: Followers;
  shortest: number;
  longest: number;
  /** Words that are written small, such as `of` and `der`. */
  small: ReadonlySet<string>;
}

const BEGIN = '^';
const END = '$';
/** With few examples, three letters before would only repeat them. */
const MANY_NAMES = 30;
const SPARE_LETTERS = 2;

const lettersOf = (name: string): string[] => [...name.normalize('NFC').toLowerCase().replace(/[\^$]/g, '')];

export function learn(names: readonly string[]): Model {
  const order = names.length >= MANY_NAMES ? 3 : 2;
  const followers = new Map<string, string[]>();
  const lengths: number[] = [];
  for (const name of names) {
    const letters = lettersOf(name);
    lengths.push(letters.length);
    const all = [...Array(order).fill(BEGIN), ...letters, END];
    for (let at = order; at < all.length; at += 1) {
      const before = all.slice(at - order, at).join('');
      const known = followers.get(before);
      if (known) known.push(all[at] ?? END);
      else followers.set(before, [all[at] ?? END]);
    }
  }
  const small = names.flatMap((name) => name.split(' ').filter((word) => /^\p{Ll}/u.test(word)));
  return {
    order,
    followers,
    shortest: Math.min(...lengths),
    longest: Math.max(...lengths) + SPARE_LETTERS,
    small: new Set(small),
  };
}

/** A name, or null where it became too long or too short. */
function makeName(
  { order, followers, shortest, longest, small }: Model,
  random: () => number,
): string | null {
  const letters: string[] = Array(order).fill(BEGIN);
  for (;;) {
    const next = followers.get(letters.slice(-order).join('')) ?? [END];
    const letter = next[Math.floor(random() * next.length)] ?? END;
    if (letter === END) break;
    letters.push(letter);
    if (letters.length - order > longest) return null;
  }
  const name = letters.slice(order).join('').trim();
  return [...name].length < Math.max(2, shortest) ? null : written(name, small);
}

/** With capitals: after spaces and hyphens, and at the beginning. */
const written = (name: string, small: ReadonlySet<string>): string =>
  name
    .split(' ')
    .map((word, index) => (index > 0 && small.has(word) ? word : word.replace(/(^|-)(\p{L})/gu, upper)))
    .join(' ');

const upper = (_: string, before: string, letter: string): string => `${before}${letter.toUpperCase()}`;

/** By which two names count as the same. */
export const keyOf = (name: string): string =>
  name.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();

export interface Wanted {
  count: number;
  random: () => number;
  isTaken(name: string): boolean;
}

const ATTEMPTS = 40;

/** Names that are neither examples nor taken, each once; fewer than wanted where there are no more. */
export function makeNames(samples: readonly string[], { count, random, isTaken }: Wanted): string[] {
  const model = learn(samples);
  const seen = new Set(samples.map(keyOf));
  const made: string[] = [];
  for (let attempt = 0; attempt < count * ATTEMPTS && made.length < count; attempt += 1) {
    const name = makeName(model, random);
    if (name === null || seen.has(keyOf(name))) continue;
    seen.add(keyOf(name));
    if (!isTaken(name)) made.push(name);
  }
  return made;
}
