import { performance } from 'node:perf_hooks';
import type { GuestCallName, GuestCalls, GuestFinding } from '../../platform/guests/calls.ts';
import { type Guest, GuestError } from '../../platform/guests/guests.ts';
import { isMap } from '../../text/json.ts';
import { hookDeadline } from '../../world/plugins/index.ts';
import { type FieldChange, fieldChanges } from './field-changes.ts';
import type { TestHost } from './test-host.ts';
import type { TestEntity } from './test-world.ts';

/** After as many breaks of a limit a service disables a plugin. */
const MOST_BREAKS = 3;

export interface CallFailure {
  call: GuestCallName;
  /** `type/id`; null for a call about none. */
  entity: string | null;
  /** See `GuestFailure`. */
  code: string;
  message: string;
  /** The guest was stopped. */
  is_break: boolean;
}

export interface CallTimes {
  call: GuestCallName;
  count: number;
  mean_ms: number;
  slowest_ms: number;
}

export interface EntityOutcome {
  entity: string;
  findings: GuestFinding[];
  /** Made by the save hook. */
  changes: FieldChange[];
}

/** Calls a guest, and notes how long that takes and what goes wrong. */
export function createGuestRun(guest: Guest, host: TestHost, withinMs: number | null) {
  const failures: CallFailure[] = [];
  const times = new Map<GuestCallName, number[]>();

  const isOver = (): boolean => failures.filter(({ is_break }) => is_break).length >= MOST_BREAKS;

  function fail(
    call: GuestCallName,
    entity: string | null,
    error: Pick<GuestError, 'code' | 'message' | 'isBreak'>,
  ) {
    const { code, message, isBreak } = error;
    failures.push({ call, entity, code, message, is_break: isBreak });
    return null;
  }

  /** Null for a call that failed. */
  async function call<Name extends GuestCallName>(
    name: Name,
    args: GuestCalls[Name]['args'],
    about: string | null = null,
  ): Promise<{ result: GuestCalls[Name]['result'] } | null> {
    if (isOver()) return null;
    host.isSaving = name === 'on-entity-save' || name === 'on-entity-validate';
    const begun = performance.now();
    try {
      return { result: await guest.call(name, args, { deadlineMs: withinMs ?? hookDeadline(name), host }) };
    } catch (error) {
      if (!(error instanceof GuestError)) throw error;
      return fail(name, about, error);
    } finally {
      times.set(name, [...(times.get(name) ?? []), performance.now() - begun]);
    }
  }

  /** Saved as it is. */
  async function saved(entity: TestEntity, about: string): Promise<FieldChange[]> {
    const { entityType, id, json } = entity;
    const answer = await call('on-entity-save', [{ entityType, id, entity: json, previous: json }], about);
    if (answer === null || answer.result === null) return [];
    if (isJsonMap(answer.result)) return fieldChanges(json, answer.result);
    fail('on-entity-save', about, {
      code: 'bad_result',
      message: 'it returned no JSON object',
      isBreak: false,
    });
    return [];
  }

  return {
    failures,
    isOver,
    call,
    times: (): CallTimes[] => [...times].map(([name, all]) => timesOf(name, all)),

    /** Checked, saved, created and deleted, as far as a guest can tell. */
    async live(entity: TestEntity): Promise<EntityOutcome> {
      const { entityType, id, json } = entity;
      const about = `${entityType}/${id}`;
      const change = { entityType, id, entity: json, previous: null };
      const findings = (await call('on-entity-validate', [change], about))?.result ?? [];
      const changes = await saved(entity, about);
      await call('on-entity-create', [change], about);
      await call('on-entity-delete', [change], about);
      return { entity: about, findings, changes };
    },
  };
}

export type GuestRun = ReturnType<typeof createGuestRun>;

function timesOf(call: GuestCallName, all: readonly number[]): CallTimes {
  const sum = all.reduce((total, one) => total + one, 0);
  return {
    call,
    count: all.length,
    mean_ms: rounded(sum / all.length),
    slowest_ms: rounded(Math.max(...all)),
  };
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100;

function isJsonMap(text: string): boolean {
  try {
    return isMap(JSON.parse(text));
  } catch {
    return false;
  }
}
