import { conflict, invalid } from '../../kit/errors.ts';
import type { PartState, ProposalStatus } from './proposals.contract.ts';

export interface Part {
  state: PartState;
  /** The decision, by whom and when; absent while it is open. */
  by?: string;
  at?: string;
  /** The version of the entity that the last change of the state made. */
  version?: number;
  /** The operation that decided it together with others. */
  operation?: string;
}

/** Fields by name, hunks by id. */
export interface Parts {
  fields: Record<string, Part>;
  hunks: Record<string, Part>;
}

/** Some of the parts. */
export interface Choice {
  fields: ReadonlySet<string>;
  hunks: ReadonlySet<string>;
}

/** Parts that a caller names; without either all are meant. */
export interface NamedParts {
  fields?: readonly string[] | undefined;
  hunks?: readonly string[] | undefined;
}

const KINDS = ['fields', 'hunks'] as const;

export function partsWhere({ fields, hunks }: Parts, fits: (part: Part) => boolean): Choice {
  const names = (parts: Readonly<Record<string, Part>>) =>
    new Set(Object.entries(parts).flatMap(([name, part]) => (fits(part) ? [name] : [])));
  return { fields: names(fields), hunks: names(hunks) };
}

export const partsIn = (parts: Parts, wanted: PartState): Choice =>
  partsWhere(parts, ({ state }) => state === wanted);

export const isEmpty = ({ fields, hunks }: Choice): boolean => fields.size + hunks.size === 0;

export const union = (one: Choice, other: Choice): Choice => ({
  fields: one.fields.union(other.fields),
  hunks: one.hunks.union(other.hunks),
});

export const without = (one: Choice, other: Choice): Choice => ({
  fields: one.fields.difference(other.fields),
  hunks: one.hunks.difference(other.hunks),
});

/** The chosen parts in a new state. */
export function decided(parts: Parts, choice: Choice, part: Part): Parts {
  const next = { fields: { ...parts.fields }, hunks: { ...parts.hunks } };
  for (const kind of KINDS) for (const name of choice[kind]) next[kind][name] = part;
  return next;
}

export function statusOf(parts: Parts): ProposalStatus {
  const states = KINDS.flatMap((kind) => Object.values(parts[kind]).map(({ state }) => state));
  const has = (state: PartState) => states.includes(state);
  if (has('accepted')) return states.every((state) => state === 'accepted') ? 'accepted' : 'partly_accepted';
  if (has('open')) return 'pending';
  return has('undone') ? 'undone' : 'rejected';
}

/**
 * The named parts that are in the state `from`; parts that are already in the state `to` are left out, so that a call can be repeated.
 * 422 for unknown names, 409 for parts that were decided otherwise.
 */
export function choose(
  parts: Parts,
  named: NamedParts,
  { from, to }: { from: PartState; to: PartState },
): Choice {
  const available = partsIn(parts, from);
  if (named.fields === undefined && named.hunks === undefined) {
    if (isEmpty(available) && isEmpty(partsIn(parts, to))) throw notInState(parts, from);
    return available;
  }
  for (const kind of KINDS)
    for (const name of named[kind] ?? []) {
      const state = Object.hasOwn(parts[kind], name) ? parts[kind][name]?.state : undefined;
      if (state === undefined) throw unknownPart(kind, name);
      if (state !== from && state !== to) throw decidedOtherwise(name, state);
    }
  return {
    fields: available.fields.intersection(new Set(named.fields)),
    hunks: available.hunks.intersection(new Set(named.hunks)),
  };
}

const unknownPart = (kind: (typeof KINDS)[number], name: string) =>
  invalid(`The proposal has no ${kind === 'fields' ? 'field' : 'hunk'} '${name}': read it again`, {
    code: 'unknown_part',
    errors: [{ field: kind, message: `has no '${name}'` }],
  });

const decidedOtherwise = (name: string, state: PartState) =>
  conflict(`'${name}' is ${state}, so nothing was changed: read the proposal again`, {
    code: `part_${state}`,
  });

const notInState = (parts: Parts, from: PartState) => {
  const status = statusOf(parts);
  return conflict(`The proposal is ${status}: none of its parts is ${from}`, { code: `proposal_${status}` });
};
