import type { FieldChange, FieldEffect } from '../../content/migration/index.ts';

export type RequestedChange =
  | Exclude<FieldChange, { kind: 'add' }>
  | { kind: 'add'; field: string; value?: unknown };

interface Place {
  entity_id: string;
  path: string;
  /** From 1; null if the file has no such line yet. */
  line: number | null;
}

export interface ChangeEffect {
  kind: RequestedChange['kind'];
  field: string;
  /** Numbers of entities with the field, entities whose file changes, and values that cannot be converted. */
  having: number;
  changed: number;
  refused_total: number;
  /** The first twenty of each; values as JSON, cut after 200 characters. */
  refused: (Place & { value: string; reason: string })[];
  sample: (Place & { before: string | null; after: string | null })[];
}

export interface BrokenFile {
  path: string;
  line: number;
  reason: string;
}

export interface MigrationPlan {
  entities_total: number;
  entities_changed: number;
  lines_total: number;
  /** Files that cannot be read or edited, and stay as they are. */
  unreadable: BrokenFile[];
  unreadable_total: number;
  changes: ChangeEffect[];
  /** Set if the template changes too. */
  template?: { path: string; lines: number };
}

const MOST_SHOWN = 20;
const LONGEST_VALUE = 200;

export function createMigrationTally(changes: readonly RequestedChange[]) {
  const plan: MigrationPlan = {
    entities_total: 0,
    entities_changed: 0,
    lines_total: 0,
    unreadable: [],
    unreadable_total: 0,
    changes: changes.map(({ kind, field }) => ({
      kind,
      field,
      having: 0,
      changed: 0,
      refused_total: 0,
      refused: [],
      sample: [],
    })),
  };

  function count(change: ChangeEffect, effect: FieldEffect, place: Omit<Place, 'line'>): void {
    if (effect.has) change.having += 1;
    if (effect.kind === 'changed') {
      change.changed += 1;
      const { line, before, after } = effect;
      show(change.sample, { ...place, line, before: shown(before), after: shown(after) });
    } else if (effect.kind === 'refused') {
      change.refused_total += 1;
      const { line, value, reason } = effect;
      show(change.refused, { ...place, line, value: shown(value) ?? '', reason });
    }
  }

  return {
    plan: () => plan,
    template(path: string, lines: number): void {
      plan.template = { path, lines };
    },
    unreadable(file: BrokenFile): void {
      plan.entities_total += 1;
      plan.unreadable_total += 1;
      show(plan.unreadable, file);
    },
    entity(place: Omit<Place, 'line'>, effects: readonly FieldEffect[], lines: number): void {
      plan.entities_total += 1;
      plan.lines_total += lines;
      if (effects.some(({ kind }) => kind === 'changed')) plan.entities_changed += 1;
      for (const [index, change] of plan.changes.entries()) {
        const effect = effects[index];
        if (effect) count(change, effect, place);
      }
    },
  };
}

function show<Item>(list: Item[], item: Item): void {
  if (list.length < MOST_SHOWN) list.push(item);
}

function shown(value: unknown): string | null {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
