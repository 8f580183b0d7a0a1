import type { Calendar } from '../calendar/index.ts';
import type { Check } from '../finding.ts';
import type { World } from '../world.ts';
import { cycles } from './cycles.ts';
import { lifetimes } from './lifetimes.ts';
import { lineage } from './lineage.ts';
import { order } from './order.ts';
import { ownership } from './ownership.ts';
import { twoPlaces } from './two-places.ts';
import { unreadableDates } from './unreadable.ts';

/** The world must be complete. */
export function checksOf(world: World, { months }: Calendar): Check {
  const daysPerYear = months.reduce((total, { days }) => total + days, 0);
  const checks: Check[] = [
    lifetimes(world),
    order(world),
    lineage(world, daysPerYear),
    twoPlaces(world),
    ownership(world),
    cycles(world),
    unreadableDates,
  ];
  return (entity) => checks.flatMap((check) => check(entity));
}
