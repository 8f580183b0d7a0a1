import type { Severity } from '../../findings/index.ts';
import { type CanonFinding, type Check, finding, when } from '../finding.ts';
import { type CanonEntity, keyOf, type Link, type Mark } from '../model.ts';
import type { Attendance, World } from '../world.ts';

interface Stay {
  attendance: Attendance;
  mark: Mark;
  place: CanonEntity;
  timeOfDay: string | null;
}

/** No story has more; the rest is not compared. */
const MOST_A_DAY = 50;
const DEEPEST = 100;

/** Unless one place lies within the other or the times of day differ. */
export function twoPlaces(world: World): Check {
  return (person) => {
    const days = new Map<number, Stay[]>();
    for (const attendance of world.attendancesOf(person)) {
      const stay = stayOf(world, attendance);
      if (!stay) continue;
      const same = days.get(stay.mark.days.first) ?? [];
      if (same.length < MOST_A_DAY) days.set(stay.mark.days.first, [...same, stay]);
    }
    return [...days.values()].flatMap((stays) =>
      pairsOf(sorted(stays)).flatMap((pair) => compare(world, person, pair)),
    );
  };
}

function stayOf(world: World, attendance: Attendance): Stay | undefined {
  const { entity, moment } = attendance;
  const marks = moment ? [moment.mark] : [...entity.dates, ...daysOfSpan(entity)];
  const mark = marks.find(({ days }) => days.first === days.last);
  const places = (moment?.links ?? entity.links).filter(({ role }) => role === 'place');
  const [place] = places.length === 1 ? places.map((link: Link) => world.resolve(link)) : [];
  const timeOfDay = moment ? moment.timeOfDay : entity.timeOfDay;
  return mark && place ? { attendance, mark, place, timeOfDay } : undefined;
}

function daysOfSpan({ start, end }: CanonEntity): Mark[] {
  return start && end && start.days.first === end.days.last ? [start] : [];
}

const orderOf = ({ attendance: { entity }, place }: Stay): string => `${keyOf(entity)} ${keyOf(place)}`;
const sorted = (stays: readonly Stay[]): Stay[] =>
  [...stays].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));

const pairsOf = (stays: readonly Stay[]): [Stay, Stay][] =>
  stays.flatMap((one, index) => stays.slice(index + 1).map((other): [Stay, Stay] => [one, other]));

function compare(world: World, person: CanonEntity, [one, other]: [Stay, Stay]): CanonFinding[] {
  const severity = severityOf(world, one, other);
  if (severity === null) return [];
  const [here, there] = [one, other].map(
    ({ place, attendance }) => `${place.name} (${attendance.entity.name})`,
  );
  const message = `${person.name} is in two places ${when(one.mark.value)}: in ${here} and in ${there}`;
  return [
    finding(
      'two_places',
      severity,
      message,
      [one, other].map(({ attendance: { entity, link, moment } }) => ({
        entity,
        path: link.path,
        value: link.id,
        ...(moment ? { within: moment.mark.value } : {}),
      })),
    ),
  ];
}

/** Null if there is no contradiction; a hint if both lie in one larger place and the hour is open. */
function severityOf(world: World, one: Stay, other: Stay): Severity | null {
  if (one.place === other.place) return null;
  const areKnown = one.timeOfDay !== null && other.timeOfDay !== null;
  if (areKnown && one.timeOfDay !== other.timeOfDay) return null;
  const [here, there] = [placesAround(world, one.place), placesAround(world, other.place)];
  if (here.has(other.place) || there.has(one.place)) return null;
  if (areKnown) return 'error';
  return [...here].some((place) => there.has(place)) ? 'info' : 'warning';
}

function placesAround(world: World, place: CanonEntity): Set<CanonEntity> {
  const around = new Set<CanonEntity>();
  const open = [place];
  for (let next = open.pop(); next && around.size < DEEPEST; next = open.pop()) {
    for (const link of next.links) {
      const larger = link.role === 'parent' ? world.resolve(link) : undefined;
      if (!larger || around.has(larger)) continue;
      around.add(larger);
      open.push(larger);
    }
  }
  return around;
}
