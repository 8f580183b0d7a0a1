import { type Visit, visitAt } from './visit.ts';

/** The user's trail through a world. */
export interface Trail extends Visit {
  /** `type/id` of the entities that were open, the last one first. */
  recent: readonly string[];
}

/** By world. */
export type Trails = Readonly<Record<string, Trail>>;

const MOST_RECENT = 8;
/** They are kept with the user's preferences, which have little room. */
const MOST_WORLDS = 20;

/** Other clients write preferences too: what is not a trail is left out. */
export function trailsIn(kept: unknown): Trails {
  if (typeof kept !== 'object' || kept === null) return {};
  return Object.fromEntries(Object.entries(kept).filter(([, trail]) => isTrail(trail)));
}

function isTrail(value: unknown): value is Trail {
  if (typeof value !== 'object' || value === null) return false;
  const { seen, before, recent } = value as Partial<Record<keyof Trail, unknown>>;
  return (
    typeof seen === 'number' &&
    (before === null || typeof before === 'number') &&
    Array.isArray(recent) &&
    recent.every((one) => typeof one === 'string')
  );
}

/** With `entity` as the last one that was open, or merely with the world visited. */
export function trailAt(now: number, trail: Trail | undefined, entity: string | null): Trail {
  const recent = trail?.recent ?? [];
  const others = recent.filter((one) => one !== entity);
  return {
    ...visitAt(now, trail ?? null),
    recent: entity === null ? recent : [entity, ...others].slice(0, MOST_RECENT),
  };
}

/** The patch that keeps a world's trail; those of worlds that were left long ago give way. */
export function trailsPatch(trails: Trails, project: string, trail: Trail): Record<string, Trail | null> {
  const gone = Object.entries(trails)
    .filter(([other]) => other !== project)
    .toSorted(([, one], [, other]) => other.seen - one.seen)
    .slice(MOST_WORLDS - 1);
  return { ...Object.fromEntries(gone.map(([other]) => [other, null])), [project]: trail };
}
