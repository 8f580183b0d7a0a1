import type { SentEvent } from '../payments/deliveries.ts';
import { type EventModel, mismatch } from './model.ts';
import type { MoneyProcess } from './process.ts';
import { DAY_MS, LOST, type Stage } from './stage.ts';

export const allEvents = ({ server, further }: Stage): SentEvent[] => [...server.events, ...further];

function modelOf(stage: Stage, { id }: SentEvent): EventModel {
  const { events } = stage;
  const known = events.get(id) ?? { firsts: 0, accepted: false, acceptedAtMs: stage.clock.now(), lost: 0 };
  events.set(id, known);
  return known;
}

export const pendingEvents = (stage: Stage): SentEvent[] =>
  allEvents(stage).filter(({ id }) => !stage.dropped.has(id) && stage.events.get(id)?.accepted !== true);

/** Events are forgotten after 90 days; no provider sends one again as late as that. */
const REMEMBERED_MS = 89 * DAY_MS;

/** True if it must be stored once it was delivered at all. */
export function isRemembered({ events, dropped, clock }: Stage, { id }: SentEvent): boolean {
  const acceptedAtMs = events.get(id)?.acceptedAtMs ?? clock.now();
  return !dropped.has(id) && clock.now() - acceptedAtMs < REMEMBERED_MS;
}

/** One delivery, and what its answer says about the ones before. */
async function deliverTo(stage: Stage, event: SentEvent, process: MoneyProcess): Promise<void> {
  const known = modelOf(stage, event);
  const wasAccepted = known.accepted;
  const answer = await stage.attempt(() => process.receive(event), process);
  if (answer === LOST) {
    known.lost += 1;
    return;
  }
  const { status, body } = answer;
  if (status === 503) return;
  if (status !== 200 || body.received !== true) mismatch('an event was refused', { event, answer });
  const isFirst = body.duplicate !== true;
  // A duplicate was stored by an earlier delivery, whose answer was lost.
  if (isFirst && !wasAccepted) known.acceptedAtMs = stage.clock.now();
  known.accepted = true;
  if (isFirst) known.firsts += 1;
  if (known.firsts > 1 || (isFirst && wasAccepted))
    mismatch('an event took effect twice', { id: event.id, type: event.type, known });
}

/** One that was lost on the way may have been the first; otherwise somebody was told that it was new. */
export function checkFirsts(stage: Stage): void {
  for (const [id, known] of stage.events)
    if (known.firsts > 1 || (known.accepted && known.firsts === 0 && known.lost === 0))
      mismatch('an event did not take effect once', { id, ...known });
}

function shuffled<Item>({ random }: Stage, items: Item[]): Item[] {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const at = random.integer(last + 1);
    const [one, other] = [items[at], items[last]];
    if (one !== undefined && other !== undefined) [items[at], items[last]] = [other, one];
  }
  return items;
}

function ordered(stage: Stage, events: SentEvent[]): SentEvent[] {
  const order = stage.random.pick(['given', 'given', 'reversed', 'shuffled'] as const);
  if (order === 'reversed') return events.reverse();
  return order === 'shuffled' ? shuffled(stage, events) : events;
}

/** In some order, some of them left for later, some more than once, some to both processes at the same time. */
export async function deliverSome(stage: Stage): Promise<void> {
  const { random, journal } = stage;
  const share = random.pick([0.3, 0.7, 1, 1]);
  const chosen = pendingEvents(stage).filter(() => random.chance(share));
  const old = allEvents(stage).filter((event) => isRemembered(stage, event) && random.chance(0.05));
  const events = ordered(stage, [...chosen, ...old]);
  const atOnce = random.pick([1, 1, 3]);
  journal.note('the provider', 'delivers', { events: events.map(({ id, type }) => `${type} ${id}`), atOnce });
  for (let from = 0; from < events.length; from += atOnce)
    await Promise.all(events.slice(from, from + atOnce).flatMap((event) => deliveries(stage, event)));
}

function deliveries(stage: Stage, event: SentEvent): Promise<void>[] {
  const { random } = stage;
  const process = stage.any();
  const to = random.chance(0.2)
    ? [...stage.processes()]
    : random.chance(0.1)
      ? [process, process]
      : [process];
  return to.map((each) => deliverTo(stage, event, each));
}

/** As the provider does in the end: again and again until each is accepted. */
export async function deliverAll(stage: Stage): Promise<void> {
  for (const event of pendingEvents(stage)) await deliverTo(stage, event, stage.any());
}
