import { mostTokensIn } from '../tokens.ts';
import { type ContextSource, ContextTooLongError, type Cut } from './types.ts';

/**
 * How much a section matters. When the window is too small, whole sections go in this order, the last first: examples of skills, the texts of
 * neighbours from the farthest to the nearest, ids to choose from, the list of relations, facts of the canon, skills from the
 * last to the first, rules, prompts of rules files. The entity's own body is shortened at its end before it goes.
 * A section of `must` never goes. A small piece that matters less may stay where a large one found no room.
 */
export const MATTERS = {
  must: 0,
  body: 1,
  rulesPrompts: 2,
  rules: 3,
  skill: 4,
  facts: 5,
  relations: 6,
  candidates: 7,
  neighbour: 8,
  examples: 9,
} as const;

export interface Section {
  place: 'system' | 'user';
  matters: (typeof MATTERS)[keyof typeof MATTERS];
  text: string;
  /** Null for what is no content, such as the request itself. */
  source: ContextSource | null;
  /** The text with a shorter content, where that makes sense. */
  shortened?: (characters: number) => string;
}

export interface Fitted {
  sections: Section[];
  cut: Cut[];
  tokens: number;
}

/** Shorter pieces of a body say too little. */
const SHORTEST_CHARACTERS = 400;
/** Blank lines between sections. */
const JOINT_TOKENS = 2;

const costOf = (text: string): number => mostTokensIn(text) + JOINT_TOKENS;

/** The sections that fit, in their order. What matters more is taken first; equal ones in their order. */
export function fit(sections: readonly Section[], budget: number): Fitted {
  const needed = sections
    .filter(({ matters }) => matters === MATTERS.must)
    .reduce((sum, { text }) => sum + costOf(text), 0);
  if (needed > budget) throw new ContextTooLongError(needed, budget);
  const taken = new Map<Section, string>();
  const cut: Cut[] = [];
  let tokens = 0;
  for (const section of sections.toSorted((a, b) => a.matters - b.matters)) {
    const text = textWithin(section, budget - tokens);
    if (text !== section.text && section.source !== null)
      cut.push({
        ref: section.source.ref,
        label: section.source.label,
        reason: text === null ? 'left_out' : 'shortened',
      });
    if (text === null) continue;
    taken.set(section, text);
    tokens += costOf(text);
  }
  const kept = sections.flatMap((section) => {
    const text = taken.get(section);
    return text === undefined ? [] : [{ ...section, text }];
  });
  return { sections: kept, cut, tokens };
}

function textWithin({ text, shortened }: Section, room: number): string | null {
  if (costOf(text) <= room) return text;
  if (shortened === undefined) return null;
  for (
    let characters = room * 2;
    characters >= SHORTEST_CHARACTERS;
    characters = Math.floor(characters * 0.8)
  ) {
    const shorter = shortened(characters);
    if (costOf(shorter) <= room) return shorter;
  }
  return null;
}
