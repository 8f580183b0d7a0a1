import { isBefore } from '../calendar/index.ts';
import { type CanonFinding, type Check, finding, when } from '../finding.ts';
import type { Bound, CanonEntity } from '../model.ts';
import type { World } from '../world.ts';

/** Children who are older than a parent, or were born more than a year after a parent's death. */
export function lineage(world: World, daysPerYear: number): Check {
  return (child) => {
    const birth = child.start;
    if (!birth?.isLife) return [];
    return child.links
      .filter(({ role }) => role === 'parent')
      .flatMap((link) => {
        const parent = world.resolve(link);
        return parent && parent !== child ? checkPair(child, birth, parent, daysPerYear) : [];
      });
  };
}

function checkPair(
  child: CanonEntity,
  birth: Bound,
  parent: CanonEntity,
  daysPerYear: number,
): CanonFinding[] {
  const { start, end } = parent;
  if (start?.isLife && isBefore(birth.days, start.days)) {
    const message = `${child.name}, born ${when(birth.value)}, is older than a parent: ${parent.name} was born ${when(start.value)}`;
    return [pairFinding(message, child, birth, parent, start)];
  }
  if (end?.isLife && birth.days.first - end.days.last > daysPerYear) {
    const message = `${child.name} was born ${when(birth.value)}, long after the death of a parent: ${parent.name} died ${when(end.value)}`;
    return [pairFinding(message, child, birth, parent, end)];
  }
  return [];
}

const pairFinding = (
  message: string,
  child: CanonEntity,
  birth: Bound,
  parent: CanonEntity,
  bound: Bound,
): CanonFinding =>
  finding('lineage', 'error', message, [
    { entity: child, path: birth.path, value: birth.value },
    { entity: parent, path: bound.path, value: bound.value },
  ]);
