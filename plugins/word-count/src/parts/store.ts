import type { Panel, PluginRecord } from '../../../kit/host.ts';
import { recordIdOf } from '../../../kit/record-id.ts';
import { type Day, joinDays } from './days.ts';

type Call = Panel['call'];

export interface Address {
  entity_type: string;
  entity_id: string;
}

export interface Goal {
  recordId: string | null;
  words: number | null;
}

const DAYS = 'days';
const GOALS = 'goals';
const PAGE = 200;
/** If more entries changed in these days, only the latest count. */
const MOST_PAGES = 5;

export const keyOf = ({ entity_type, entity_id }: Address): string => `${entity_type}/${entity_id}`;

const numberIn = (value: unknown): number =>
  typeof value === 'number' && value >= 0 ? Math.round(value) : 0;

function dayIn({ entity_type, entity_id, data }: PluginRecord): Day[] {
  if (entity_type === null || entity_id === null || typeof data.day !== 'string') return [];
  const entity = keyOf({ entity_type, entity_id });
  return [{ entity, day: data.day, start: numberIn(data.start), words: numberIn(data.words) }];
}

/** Of all entries, from a day on. */
export async function loadDays(call: Call, from: string): Promise<Day[]> {
  const days: Day[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { records, total } = await call('data.list', {
      record_type: DAYS,
      limit: PAGE,
      offset: page * PAGE,
    });
    const found = records.flatMap(dayIn);
    days.push(...found);
    if (found.every(({ day }) => day < from) || (page + 1) * PAGE >= total) break;
  }
  return joinDays(days.toReversed());
}

export async function saveDay(call: Call, address: Address, { day, start, words }: Day): Promise<void> {
  const record_id = recordIdOf(day, address.entity_type, address.entity_id);
  await call('data.put', { record_type: DAYS, record_id, data: { ...address, day, start, words } });
}

export async function loadGoal(call: Call, address: Address): Promise<Goal> {
  const { records } = await call('data.list', { record_type: GOALS, ...address, limit: 1 });
  const [record] = records;
  if (record === undefined) return { recordId: null, words: null };
  return { recordId: record.record_id, words: numberIn(record.data.words) || null };
}

/** Null for none. */
export async function saveGoal(call: Call, address: Address, goal: Goal): Promise<Goal> {
  const { recordId, words } = goal;
  if (words === null) {
    if (recordId !== null) await call('data.delete', { record_type: GOALS, record_id: recordId });
    return { recordId: null, words };
  }
  const record_id = recordId ?? recordIdOf('goal', address.entity_type, address.entity_id);
  await call('data.put', { record_type: GOALS, record_id, data: { ...address, words } });
  return { recordId: record_id, words };
}
