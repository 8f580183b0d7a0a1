import { isBefore } from '../calendar/index.ts';
import { type CanonFinding, type Check, finding, type Side, shown, when } from '../finding.ts';
import type { CanonEntity, Link, Mark } from '../model.ts';
import { timeOf, type World } from '../world.ts';

/** Ends before beginnings, dates that contradict each other, and lists in another order than their dates. */
export function order(world: World): Check {
  return (entity) => [
    ...checkSpan(entity),
    ...checkDates(entity),
    ...checkMoments(entity),
    ...checkSequence(world, entity),
    ...entity.links.flatMap((link) => checkCause(world, entity, link)),
  ];
}

const sideOf = (entity: CanonEntity, { path, value }: Mark): Side => ({ entity, path, value });

function checkSpan(entity: CanonEntity): CanonFinding[] {
  const { start, end, name } = entity;
  if (!start || !end || !isBefore(end.days, start.days)) return [];
  const [begins, ends] = [start.isLife ? 'was born' : 'began', end.isLife ? 'died' : 'ended'];
  const message = `${name} ${ends} ${when(end.value)}, but ${begins} only ${when(start.value)}`;
  return [finding('out_of_order', 'error', message, [sideOf(entity, start), sideOf(entity, end)])];
}

function checkDates(entity: CanonEntity): CanonFinding[] {
  const { start, end, dates, milestones } = entity;
  const bounds = [start, end].filter((bound) => bound !== null);
  const outside = [...dates, ...milestones].flatMap((date) =>
    bounds.flatMap((bound) => {
      const isEarly = bound === start;
      const isOutside = isEarly ? isBefore(date.days, bound.days) : isBefore(bound.days, date.days);
      return isOutside ? [contradiction(entity, bound, date, isEarly ? 'before' : 'after')] : [];
    }),
  );
  const [first, ...others] = bounds.length === 0 ? dates : [];
  const different = others.flatMap((date) =>
    first && (isBefore(first.days, date.days) || isBefore(date.days, first.days))
      ? [contradiction(entity, first, date, isBefore(date.days, first.days) ? 'before' : 'after')]
      : [],
  );
  return [...outside, ...different];
}

function contradiction(
  entity: CanonEntity,
  one: Mark,
  other: Mark,
  relation: 'before' | 'after',
): CanonFinding {
  const [first, second] = [one, other].map(({ path, value }) => `${path.join('.')} (${shown(value)})`);
  const message = `${entity.name} contradicts itself: ${second} lies ${relation} ${first}`;
  return finding('out_of_order', 'error', message, [sideOf(entity, one), sideOf(entity, other)]);
}

/** Entries of a list follow the order of time, within the span of their entity. */
function checkMoments(entity: CanonEntity): CanonFinding[] {
  const { start, end, moments, name } = entity;
  return moments.flatMap(({ mark }, index) => {
    const findings: CanonFinding[] = [];
    const previous = moments[index - 1]?.mark;
    if (previous && previous.path[0] === mark.path[0] && isBefore(mark.days, previous.days)) {
      const message = `In ${name}, the entry for ${shown(mark.value)} stands after the one for ${shown(previous.value)}`;
      findings.push(
        finding('out_of_order', 'warning', message, [sideOf(entity, previous), sideOf(entity, mark)]),
      );
    }
    const bound =
      start && isBefore(mark.days, start.days) ? start : end && isBefore(end.days, mark.days) ? end : null;
    if (bound) {
      const [birth, death] = bound.isLife ? ['birth', 'death'] : ['beginning', 'end'];
      const side = bound === start ? `before the ${birth}` : `after the ${death}`;
      const message = `In ${name}, the entry for ${shown(mark.value)} lies ${side} ${when(bound.value)}`;
      findings.push(
        finding('out_of_order', 'warning', message, [sideOf(entity, bound), sideOf(entity, mark)]),
      );
    }
    return findings;
  });
}

function checkSequence(world: World, entity: CanonEntity): CanonFinding[] {
  const listed = entity.links.filter(({ role }) => role === 'sequence').flatMap((link) => timed(world, link));
  return listed.flatMap(({ target, time }, index) => {
    const previous = listed[index - 1];
    if (!previous || !isBefore(time.days, previous.time.days)) return [];
    const message = `${entity.name} lists ${target.name} (${shown(time.last.value)}) after ${previous.target.name} (${shown(previous.time.first.value)}), which is later`;
    return [
      finding('out_of_order', 'warning', message, [
        sideOf(previous.target, previous.time.first),
        sideOf(target, time.last),
      ]),
    ];
  });
}

function timed(world: World, link: Link) {
  const target = world.resolve(link);
  const time = target && timeOf(target);
  return target && time ? [{ target, time }] : [];
}

/** A cause is not later than its effect. */
function checkCause(world: World, entity: CanonEntity, link: Link): CanonFinding[] {
  if (link.role !== 'earlier' && link.role !== 'later') return [];
  const [other] = timed(world, link);
  const time = timeOf(entity);
  if (!other || !time || other.target === entity) return [];
  const isCause = link.role === 'earlier';
  if (!(isCause ? isBefore(time.days, other.time.days) : isBefore(other.time.days, time.days))) return [];
  const [mark, relation] = isCause ? [other.time.first, 'came before'] : [other.time.last, 'followed from'];
  const own = isCause ? time.last : time.first;
  const known = `${entity.name} happened ${when(own.value)} and ${other.target.name} ${when(mark.value)}`;
  const message = `${entity.name} says that ${other.target.name} ${relation} it, but ${known}`;
  return [
    finding('out_of_order', 'error', message, [
      { entity, path: link.path, value: link.id },
      sideOf(other.target, mark),
    ]),
  ];
}
