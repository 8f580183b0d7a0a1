import type { Severity } from '../../findings/index.ts';
import { isBefore } from '../calendar/index.ts';
import { type CanonFinding, type Check, finding, type Side, shown, when } from '../finding.ts';
import type { Bound, CanonEntity, Link, Mark } from '../model.ts';
import { type Time, timeOf, type World } from '../world.ts';

/** A reference with its time. */
interface DatedLink {
  entity: CanonEntity;
  link: Link;
  time: Time;
  within?: unknown;
}

/** References to somebody who was dead or gone by then, or not there yet. */
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

/** Anything present at the beginning need only exist on those days. */
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

/** A mere mention is checked only against birth and death: anything else may be spoken of at any time. */
const mayBeMeant = ({ link }: DatedLink, { isLife }: Bound): boolean => link.role !== 'mention' || isLife;

const severityOf = ({ link }: DatedLink): Severity =>
  link.role === 'present' || link.role === 'origin' ? 'error' : 'warning';

function tooLate(dated: DatedLink, target: CanonEntity, end: Bound): CanonFinding {
  const sides = sidesOf(dated, target, end);
  if (dated.link.role === 'place') {
    const message = `${saying(dated, target, dated.time.first)}, which was gone by ${shown(end.value)}`;
    return finding('place_gone', 'warning', message, sides);
  }
  const over = `${end.isLife ? 'had died' : 'had ended'} ${when(end.value)}`;
  const message = `${saying(dated, target, dated.time.first)}, ${whoOrBut(dated, end)} ${over}`;
  return finding('after_end', severityOf(dated), message, sides);
}

function tooEarly(dated: DatedLink, target: CanonEntity, start: Bound): CanonFinding {
  const begun = `${start.isLife ? 'was not born' : 'did not exist'} before ${shown(start.value)}`;
  const message = `${saying(dated, target, dated.time.last)}, ${whoOrBut(dated, start)} ${begun}`;
  return finding('before_start', severityOf(dated), message, sidesOf(dated, target, start));
}

/** Continues about the target: the subject of the sentence if somebody takes part, otherwise its last word. */
function whoOrBut({ link }: DatedLink, { isLife: isPerson }: Bound): string {
  if (link.role === 'present') return 'but';
  return isPerson ? 'who' : 'which';
}

const isLife = ({ start, end }: CanonEntity): boolean => (start?.isLife ?? end?.isLife) === true;

/** An entity's statement about the other: `Mira Vale was born (1085) at Thorn Keep`. */
function saying({ entity, link, within }: DatedLink, target: CanonEntity, { value }: Mark): string {
  const { name } = entity;
  const at = `(${shown(value)})`;
  if (link.role === 'mention') return `${name} ${at} mentions ${target.name}`;
  if (link.role === 'place') {
    if (within !== undefined) return `In ${name}, the entry ${at} is set in ${target.name}`;
    return `${name} ${at} ${isLife(entity) ? 'is' : 'is set'} in ${target.name}`;
  }
  if (link.role === 'origin')
    return `${name} ${begunBy(entity, link)} ${at} ${by(entity, target)} ${target.name}`;
  return within === undefined
    ? `${target.name} takes part in ${name} ${at}`
    : `In ${name}, ${target.name} takes part ${at}`;
}

/** By the name of the field that says with whom or where. */
const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/found/, 'was founded'],
  [/buil/, 'was built'],
  [/creat|ma[dk]e|forg/, 'was made'],
  [/author/, 'was written'],
  [/invent/, 'was invented'],
];

function begunBy(entity: CanonEntity, { path }: Link): string {
  if (isLife(entity)) return 'was born';
  const field = String(path[0] ?? '');
  return BEGINNINGS.find(([pattern]) => pattern.test(field))?.[1] ?? 'began';
}

/** People and their like make things; one is born in a place. */
const by = (entity: CanonEntity, target: CanonEntity): string =>
  isLife(entity) ? (isLife(target) ? 'of' : 'at') : 'by';

function sidesOf({ entity, link, within }: DatedLink, target: CanonEntity, bound: Bound): Side[] {
  return [
    { entity, path: link.path, value: link.id, ...(within === undefined ? {} : { within }) },
    { entity: target, path: bound.path, value: bound.value },
  ];
}
