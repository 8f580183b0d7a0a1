import { isBefore } from '../calendar/index.ts';
import {
  type CanonFinding,
  type Check,
  type FindingSeverity,
  finding,
  type Side,
  shown,
} from '../finding.ts';
import type { Bound, CanonEntity, Link } from '../model.ts';
import { type Time, timeOf, type World } from '../world.ts';

/** A reference with the time it speaks of. */
interface DatedLink {
  entity: CanonEntity;
  link: Link;
  time: Time;
  /** The entry that the link stands in. */
  within?: unknown;
}

/** References to who was dead or gone by then, or not there yet. */
export function lifetimes(world: World): Check {
  return (entity) => datedLinksOf(entity).flatMap((dated) => checkLink(world, dated));
}

function datedLinksOf(entity: CanonEntity): DatedLink[] {
  const time = timeOf(entity);
  const own = entity.links.flatMap((link) => {
    const at = link.role === 'origin' ? originOf(entity, time) : time;
    return at && (link.role === 'present' || link.role === 'place' || link.role === 'origin')
      ? [{ entity, link, time: at }]
      : [];
  });
  const entries = entity.moments.flatMap(({ mark, links }) =>
    links.map((link) => ({
      entity,
      link,
      time: { days: mark.days, first: mark, last: mark },
      within: mark.value,
    })),
  );
  return [...own, ...entries];
}

/** What was there at the beginning needs to be there on those days alone. */
function originOf({ start }: CanonEntity, time: Time | null): Time | null {
  return start ? { days: start.days, first: start, last: start } : time;
}

function checkLink(world: World, dated: DatedLink): CanonFinding[] {
  const target = world.resolve(dated.link);
  if (target === undefined || target === dated.entity) return [];
  const { start, end } = target;
  const { days } = dated.time;
  if (end && isBefore(end.days, days) && mayBeMeant(dated, end)) return [tooLate(dated, target, end)];
  if (start && isBefore(days, start.days) && mayBeMeant(dated, start))
    return [tooEarly(dated, target, start)];
  return [];
}

/** Whoever is only named must have lived to be missed: what happened may be spoken of at any time. */
const mayBeMeant = ({ link }: DatedLink, { isLife }: Bound): boolean => link.role !== 'mention' || isLife;

const severityOf = ({ link }: DatedLink): FindingSeverity =>
  link.role === 'present' || link.role === 'origin' ? 'error' : 'warning';

function tooLate(dated: DatedLink, target: CanonEntity, end: Bound): CanonFinding {
  const subject = `${dated.entity.name} (${shown(dated.time.first.value)})`;
  const sides = sidesOf(dated, target, end);
  if (dated.link.role === 'place') {
    const message = `${subject} is set in ${target.name}, which was gone by ${shown(end.value)}`;
    return finding('place_gone', 'warning', message, sides);
  }
  const over = `${end.isLife ? 'who died in' : 'which ended in'} ${shown(end.value)}`;
  return finding(
    'after_end',
    severityOf(dated),
    `${subject} ${verbOf(dated)} ${target.name}, ${over}`,
    sides,
  );
}

function tooEarly(dated: DatedLink, target: CanonEntity, start: Bound): CanonFinding {
  const subject = `${dated.entity.name} (${shown(dated.time.last.value)})`;
  const begun = `${start.isLife ? 'who was not born' : 'which was not there'} before ${shown(start.value)}`;
  const message = `${subject} ${verbOf(dated)} ${target.name}, ${begun}`;
  return finding('before_start', severityOf(dated), message, sidesOf(dated, target, start));
}

function verbOf({ link }: DatedLink): string {
  if (link.role === 'mention') return 'speaks of';
  if (link.role === 'place') return 'is set in';
  return link.role === 'origin' ? 'goes back to' : 'involves';
}

function sidesOf({ entity, link, within }: DatedLink, target: CanonEntity, bound: Bound): Side[] {
  return [
    { entity, path: link.path, value: link.id, ...(within === undefined ? {} : { within }) },
    { entity: target, path: bound.path, value: bound.value },
  ];
}
