import type { GuestCallName } from '../../../platform/guests/calls.ts';

/** Milliseconds for a hook of a save that somebody waits for, and for a check. */
const HOOK_MS = 250;
/** For a hook after the change: longer than a request of its own may take. */
const LATE_HOOK_MS = 10_000;

const LATE: ReadonlySet<GuestCallName> = new Set<GuestCallName>([
  'on-entity-create',
  'on-entity-delete',
  'on-project-init',
]);

export const hookDeadline = (name: GuestCallName): number => (LATE.has(name) ? LATE_HOOK_MS : HOOK_MS);
