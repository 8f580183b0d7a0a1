import type { DayRange } from './calendar/index.ts';
import { type CanonEntity, keyOf, type Link, type Mark, type Moment } from './model.ts';

/** In an entity as a whole, or in one of its dated entries. */
export interface Attendance {
  entity: CanonEntity;
  moment: Moment | null;
  link: Link;
}

export interface Holding {
  entity: CanonEntity;
  link: Link;
}

/** Filled by `add`, queried when complete. */
export interface World {
  add(entity: CanonEntity): void;
  /** By key, so that the same world always gives the same findings. */
  inOrder(): CanonEntity[];
  /** Undefined if there are none or several. */
  resolve(link: Pick<Link, 'type' | 'id'>): CanonEntity | undefined;
  attendancesOf(entity: CanonEntity): readonly Attendance[];
  holdingsOf(entity: CanonEntity): readonly Holding[];
}

export function createWorld(): World {
  const byKey = new Map<string, CanonEntity>();
  const byId = new Map<string, CanonEntity[]>();
  const attendances = new Map<string, Attendance[]>();
  const holdings = new Map<string, Holding[]>();

  /** By id alone: which type an untyped link means is known only when all are in. */
  const file = <Entry>(index: Map<string, Entry[]>, id: string, entry: Entry) => {
    const entries = index.get(id);
    if (entries) entries.push(entry);
    else index.set(id, [entry]);
  };

  const resolve: World['resolve'] = ({ type, id }) => {
    if (type !== null) return byKey.get(keyOf({ type, id }));
    const named = byId.get(id) ?? [];
    return named.length === 1 ? named[0] : undefined;
  };

  const meant = <Entry extends { link: Link }>(index: Map<string, Entry[]>, entity: CanonEntity): Entry[] =>
    (index.get(entity.id) ?? []).filter(({ link }) => resolve(link) === entity);

  return {
    resolve,
    inOrder: () => [...byKey.keys()].sort().flatMap((key) => byKey.get(key) ?? []),
    add(entity) {
      byKey.set(keyOf(entity), entity);
      file(byId, entity.id, entity);
      for (const link of entity.links) {
        if (link.role === 'present') file(attendances, link.id, { entity, moment: null, link });
        if (link.role === 'inventory') file(holdings, link.id, { entity, link });
      }
      for (const moment of entity.moments) {
        for (const link of moment.links) {
          if (link.role === 'present') file(attendances, link.id, { entity, moment, link });
        }
      }
    },
    attendancesOf: (entity) => meant(attendances, entity),
    holdingsOf: (entity) => meant(holdings, entity),
  };
}

export interface Time {
  days: DayRange;
  first: Mark;
  last: Mark;
}

/** Null if the file does not say. */
export function timeOf({ start, end, dates }: CanonEntity): Time | null {
  if (start || end) {
    const [first, last] = [start ?? end, end ?? start];
    if (!first || !last) return null;
    const days = { first: start?.days.first ?? -Infinity, last: end?.days.last ?? Infinity };
    return { days, first, last };
  }
  const [narrowest] = [...dates].sort((a, b) => lengthOf(a.days) - lengthOf(b.days));
  return narrowest ? { days: narrowest.days, first: narrowest, last: narrowest } : null;
}

const lengthOf = ({ first, last }: DayRange): number => last - first;
