import type { Clock } from '../../../kit/clock.ts';
import { type GuestComponent, GuestError, type GuestShape } from '../guests.ts';

const MOST = 500;
/** Milliseconds for which nobody tries again to translate a component that was refused: each attempt is a process. */
const REFUSED_FOR_MS = 60_000;

interface Known {
  shape: Promise<GuestShape>;
  refusedAt: number | null;
}

/** Shapes of components by their hashes: asked for at each save, and a translation has megabytes. The oldest are forgotten. */
export function createKnownShapes(find: (component: GuestComponent) => Promise<GuestShape>, clock: Clock) {
  const known = new Map<string, Known>();

  function ask(component: GuestComponent): Known {
    const mine: Known = { shape: find(component), refusedAt: null };
    mine.shape.catch((error: unknown) => {
      if (error instanceof GuestError && error.code === 'refused') mine.refusedAt = clock.now();
      else if (known.get(component.hash) === mine) known.delete(component.hash);
    });
    known.delete(component.hash);
    known.set(component.hash, mine);
    const [oldest] = known.keys();
    if (known.size > MOST && oldest !== undefined) known.delete(oldest);
    return mine;
  }

  return (component: GuestComponent): Promise<GuestShape> => {
    const present = known.get(component.hash);
    const isOver = present?.refusedAt != null && clock.now() - present.refusedAt >= REFUSED_FOR_MS;
    return (present === undefined || isOver ? ask(component) : present).shape;
  };
}
