import { foldedWithOrigins, foldName } from './name-score.ts';
import type { NamedEntity } from './named-entity.ts';

export interface NameInText {
  from: number;
  to: number;
  entity: NamedEntity;
}

/** Shorter ones are words of every sentence. */
const SHORTEST = 3;
const IN_WORD = /[\p{L}\p{N}]/u;

export interface KnownNames {
  /** By folded name; null where it belongs to several entities: nobody can say which is meant. */
  owners: ReadonlyMap<string, NamedEntity | null>;
  /** The lengths of the names that begin with a word, by that word, the longest first. */
  lengths: ReadonlyMap<string, readonly number[]>;
}

export function knownNames(entities: Iterable<NamedEntity>): KnownNames {
  const owners = new Map<string, NamedEntity | null>();
  const lengths = new Map<string, Set<number>>();
  for (const entity of entities) {
    for (const folded of new Set([entity.name, ...entity.aliases].map((name) => foldName(name.trim())))) {
      if (folded.length < SHORTEST) continue;
      owners.set(folded, owners.has(folded) ? null : entity);
      const word = firstWord(folded, 0);
      const known = lengths.get(word);
      if (known) known.add(folded.length);
      else lengths.set(word, new Set([folded.length]));
    }
  }
  const sorted = [...lengths].map(
    ([word, all]) => [word, [...all].sort((one, other) => other - one)] as const,
  );
  return { owners, lengths: new Map(sorted) };
}

function firstWord(folded: string, at: number): string {
  let end = at;
  while (end < folded.length && IN_WORD.test(folded.charAt(end))) end += 1;
  return folded.slice(at, end);
}

/** The places at which a text names entities, as whole words, the longest name at each place. */
export function findNames(text: string, names: KnownNames): NameInText[] {
  const { folded, origins } = foldedWithOrigins(text);
  const found: NameInText[] = [];
  let at = 0;
  while (at < folded.length) {
    const word = firstWord(folded, at);
    const length = lengthOfName(folded, at, word, names);
    const entity = length > 0 ? names.owners.get(folded.slice(at, at + length)) : null;
    const [from, to] = [origins[at]?.[0] ?? 0, origins[at + length - 1]?.[1] ?? 0];
    if (entity) found.push({ from, to, entity });
    at += length || word.length || 1;
  }
  return found;
}

/** 0 if there is none. */
function lengthOfName(folded: string, at: number, word: string, { owners, lengths }: KnownNames): number {
  const isWhole = (length: number) => !IN_WORD.test(folded.charAt(at + length));
  const candidates = word === '' ? [] : (lengths.get(word) ?? []);
  return candidates.find((length) => isWhole(length) && owners.has(folded.slice(at, at + length))) ?? 0;
}
