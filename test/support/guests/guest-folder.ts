import { type Clock, systemClock } from '../../../src/kit/clock.ts';
import { createWasmGuests } from '../../../src/platform/guests/adapters/wasm-guests.ts';
import type { GuestLimits, Guests } from '../../../src/platform/guests/guests.ts';
import { translations } from './translations.ts';

/** Guests that end with the test. A busy machine may take long to start them. */
export function testGuests(
  t: { after(work: () => Promise<void>): void },
  limits: Partial<GuestLimits> = {},
  clock: Clock = systemClock,
): Guests {
  const patient = { waitMs: 60_000, startMs: 60_000 };
  const guests = createWasmGuests({ cacheFolder: translations(), clock, limits: { ...patient, ...limits } });
  t.after(guests.close);
  return guests;
}

/** A request for nothing but a path. */
export const request = (path: string) =>
  [{ method: 'GET', path, headers: [], body: null, user: { id: 'u1', role: 'editor' } }] as const;
