import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../../src/kit/clock.ts';
import { createWasmGuests } from '../../../src/platform/guests/adapters/wasm-guests.ts';
import type { GuestLimits, Guests } from '../../../src/platform/guests/guests.ts';

let shared: string | null = null;

/** Translations of this process: they are the same in all of its tests. */
function sharedCache(): string {
  if (shared !== null) return shared;
  const folder = mkdtempSync(join(tmpdir(), 'guests-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  shared = folder;
  return folder;
}

/** Guests that end with the test. A busy machine may take long to start them. */
export function testGuests(
  t: { after(work: () => Promise<void>): void },
  limits: Partial<GuestLimits> = {},
  clock: Clock = systemClock,
): Guests {
  const patient = { waitMs: 60_000, startMs: 60_000 };
  const guests = createWasmGuests({ cacheFolder: sharedCache(), clock, limits: { ...patient, ...limits } });
  t.after(guests.close);
  return guests;
}

/** What a guest is asked whose purpose is one path. */
export const request = (path: string) =>
  [{ method: 'GET', path, headers: [], body: null, user: { id: 'u1', role: 'editor' } }] as const;
