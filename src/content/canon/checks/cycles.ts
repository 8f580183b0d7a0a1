import { type CanonFinding, type Check, finding, type Side } from '../finding.ts';
import { type CanonEntity, keyOf } from '../model.ts';
import type { World } from '../world.ts';

/** From child to parent. */
interface Step {
  entity: CanonEntity;
  parents: { parent: CanonEntity; side: Side }[];
  taken: Side | null;
}

const MOST_SIDES = 10;

/** Each ring is found once, wherever the search begins. */
export function cycles(world: World): Check {
  const settled = new Set<CanonEntity>();
  return (entity) => (settled.has(entity) ? [] : walk(world, entity, settled));
}

function walk(world: World, from: CanonEntity, settled: Set<CanonEntity>): CanonFinding[] {
  const findings: CanonFinding[] = [];
  const steps: Step[] = [stepOf(world, from)];
  const open = new Map([[from, 0]]);
  for (let step = steps.at(-1); step; step = steps.at(-1)) {
    const next = step.parents.pop();
    if (next === undefined) {
      settled.add(step.entity);
      open.delete(step.entity);
      steps.pop();
      continue;
    }
    step.taken = next.side;
    const ringStart = open.get(next.parent);
    if (ringStart !== undefined) findings.push(ringOf(steps.slice(ringStart)));
    else if (!settled.has(next.parent)) {
      open.set(next.parent, steps.length);
      steps.push(stepOf(world, next.parent));
    }
  }
  return findings;
}

function stepOf(world: World, entity: CanonEntity): Step {
  const parents = entity.links.flatMap((link) => {
    const parent = link.role === 'parent' ? world.resolve(link) : undefined;
    return parent ? [{ parent, side: { entity, path: link.path, value: link.id } }] : [];
  });
  return { entity, parents, taken: null };
}

/** The ring begins with the first key, so that its message is always the same. */
function ringOf(steps: readonly Step[]): CanonFinding {
  const sides = steps.flatMap(({ taken }) => taken ?? []);
  const keys = sides.map(({ entity }) => keyOf(entity));
  const start = keys.indexOf([...keys].sort()[0] ?? '');
  const ring = [...sides.slice(start), ...sides.slice(0, start)];
  const names = ring.slice(0, MOST_SIDES).map(({ entity }) => entity.name);
  const first = names[0] ?? '';
  const message =
    ring.length === 1
      ? `${first} is named as its own parent`
      : `The parents of ${first} lead back to ${first}: ${[...names, ring.length > MOST_SIDES ? '…' : first].join(' → ')}`;
  return finding('cyclic_parents', 'error', message, ring.slice(0, MOST_SIDES));
}
