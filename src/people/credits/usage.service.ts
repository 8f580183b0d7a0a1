import type { Clock } from '../../kit/clock.ts';
import { invalidField } from '../../kit/errors.ts';
import type { Database } from '../../platform/database/database.ts';
import { dayIn } from './books/days.ts';
import { DAY_MS } from './books/months.ts';
import type { CreditsService } from './credits.service.ts';
import type { UsageGroup } from './credits.tables.ts';
import { createUsageStore, type GroupedUsage } from './usage.store.ts';

const LONGEST_DAYS = 366;
const USUAL_DAYS = 30;

/** A person of the tenant, as the accounts know them. */
export interface CreditMember {
  userId: string;
  displayName: string;
  role: string;
  isActive: boolean;
}

export interface UsageOptions {
  database: Database;
  clock: Clock;
  ledger: CreditsService;
  membersOf(tenantId: string): Promise<readonly CreditMember[]>;
}

export interface HistoryQuery {
  /** The tenant's days, both included; the last 30 unless given. */
  from?: string | undefined;
  to?: string | undefined;
  groupBy: UsageGroup;
}

export interface History {
  from: string;
  to: string;
  timeZone: string;
  groups: GroupedUsage[];
}

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const daysBefore = (day: string, days: number): string =>
  new Date(timeOf(day) - days * DAY_MS).toISOString().slice(0, 10);

function checkDay(name: string, day: string): void {
  const time = timeOf(day);
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day)
    throw invalidField(name, `must be a day of the calendar, such as 2026-03-04, and ${day} is none`);
}

/** A tenant's expenses, as its people see them. */
export function createUsage({ database, clock, ledger, membersOf }: UsageOptions) {
  const store = createUsageStore(database.system);

  return {
    /** The current period, by operation. */
    async current(tenantId: string, userId: string) {
      const view = await ledger.look(tenantId, userId);
      const { periodStartMs, timeZone } = view;
      // Two days more at each end: a time zone that was changed meanwhile had other days.
      const from = daysBefore(dayIn(timeZone, periodStartMs), 2);
      const to = daysBefore(dayIn(timeZone, clock.now()), -2);
      const operations = await store.ofPeriod(tenantId, periodStartMs, { from, to });
      return { view, operations };
    },

    async history(tenantId: string, { from, to, groupBy }: HistoryQuery): Promise<History> {
      const { timeZone } = await ledger.look(tenantId, '');
      const last = to ?? dayIn(timeZone, clock.now());
      checkDay('to', last);
      const first = from ?? daysBefore(last, USUAL_DAYS - 1);
      checkDay('from', first);
      const days = (timeOf(last) - timeOf(first)) / DAY_MS + 1;
      if (days < 1) throw invalidField('from', 'must not be after `to`');
      if (days > LONGEST_DAYS)
        throw invalidField('from', `must be at most ${LONGEST_DAYS} days before the end, and it is ${days}`);
      const groups = await store.grouped(tenantId, groupBy, { from: first, to: last });
      return { from: first, to: last, timeZone, groups };
    },

    /** Everybody of the tenant with what they spent in this period. */
    async members(tenantId: string) {
      const { periodStartMs } = await ledger.look(tenantId, '');
      const [people, rows] = await Promise.all([membersOf(tenantId), store.members(tenantId)]);
      const known = new Map(rows.map((row) => [row.user_id, row]));
      return people.map((person) => {
        const { quota = null, period_start_ms, spent = 0, reserved = 0 } = known.get(person.userId) ?? {};
        return { ...person, quota, reserved, spent: period_start_ms === periodStartMs ? spent : 0 };
      });
    },

    /** Null for a person of another tenant, or of none. */
    async memberOf(tenantId: string, userId: string): Promise<CreditMember | null> {
      const people = await membersOf(tenantId);
      return people.find((person) => person.userId === userId) ?? null;
    },
  };
}

export type UsageService = ReturnType<typeof createUsage>;
