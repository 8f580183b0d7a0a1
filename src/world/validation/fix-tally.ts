import type { Fix, Fixed, FixKind, Unfixable } from '../../content/fixes/index.ts';
import type { EntityPlace } from './known-entities.ts';

interface Placed {
  entity_type: string;
  entity_id: string;
  file: string;
}

/** The fixes made or planned; lists hold the first 200, and long values are cut. */
export interface FixPlan {
  entities_checked: number;
  entities_changed: number;
  fixed: (Fix & Placed)[];
  fixed_total: number;
  counts: Partial<Record<FixKind, number>>;
  unfixable: (Unfixable & Placed)[];
  unfixable_total: number;
}

const MOST_SHOWN = 200;
const LONGEST_VALUE = 200;

export function createFixTally() {
  const plan: FixPlan = {
    entities_checked: 0,
    entities_changed: 0,
    fixed: [],
    fixed_total: 0,
    counts: {},
    unfixable: [],
    unfixable_total: 0,
  };
  /** Kinds of each entity's fixes, to subtract them if its file could not be written. */
  const kindsOf = new Map<string, FixKind[]>();

  function count(kinds: readonly FixKind[], by: 1 | -1): void {
    plan.fixed_total += kinds.length * by;
    for (const kind of kinds) plan.counts[kind] = (plan.counts[kind] ?? 0) + by;
  }

  return {
    plan: () => plan,

    entity({ entity_type, entity_id, path }: EntityPlace, { fixes, unfixable }: Fixed): void {
      const about = { entity_type, entity_id, file: path };
      const kinds = fixes.map(({ kind }) => kind);
      plan.entities_checked += 1;
      if (kinds.length > 0) {
        plan.entities_changed += 1;
        kindsOf.set(keyOf(about), kinds);
      }
      count(kinds, 1);
      for (const fix of fixes) {
        show(plan.fixed, { ...about, ...fix, before: shortened(fix.before), after: shortened(fix.after) });
      }
      plan.unfixable_total += unfixable.length;
      for (const one of unfixable) show(plan.unfixable, { ...about, ...one, value: shortened(one.value) });
    },

    skipped(entity: { entity_type: string | null; entity_id: string | null }): void {
      const key = keyOf(entity);
      count(kindsOf.get(key) ?? [], -1);
      kindsOf.delete(key);
      plan.entities_changed -= 1;
      plan.fixed = plan.fixed.filter((fix) => keyOf(fix) !== key);
    },
  };
}

const keyOf = ({ entity_type, entity_id }: { entity_type: string | null; entity_id: string | null }) =>
  `${entity_type}/${entity_id}`;

function show<Item>(list: Item[], item: Item): void {
  if (list.length < MOST_SHOWN) list.push(item);
}

function shortened(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text.length <= LONGEST_VALUE ? value : `${text.slice(0, LONGEST_VALUE)}…`;
}
