import { addressOf, placeOf } from '../places.ts';
import type { Goal } from './frame-messages.ts';

interface From {
  project: string;
  /** A new entity is saved as soon as it has a name, which an address may give it. */
  mayWrite: boolean;
}

/** Only its path and query count; the name of the host stands for the Studio's own. */
const HERE = 'http://studio.invalid';

/** The address to which a page of a plugin may lead: within a world, and nowhere else; null for any other. */
export function addressOfGoal(goal: Goal, { project, mayWrite }: From): string | null {
  if ('entityId' in goal)
    return addressOf({ screen: 'entity', project, type: goal.entityType, id: goal.entityId });
  if (!goal.path.startsWith('/') || !URL.canParse(goal.path, HERE)) return null;
  const { origin, pathname, search } = new URL(goal.path, HERE);
  if (origin !== HERE) return null;
  const place = placeOf(pathname, search);
  if (!('project' in place)) return null;
  return place.screen === 'new' && !(mayWrite && place.project === project) ? null : addressOf(place);
}
