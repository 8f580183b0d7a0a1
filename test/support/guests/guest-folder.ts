import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { systemClock } from '../../../src/kit/clock.ts';
import { createWasmGuests } from '../../../src/platform/guests/adapters/wasm-guests.ts';
import type { GuestLimits, Guests } from '../../../src/platform/guests/guests.ts';

/** Guests that end with the test. */
export function testGuests(t: TestContext, limits: Partial<GuestLimits> = {}): Guests {
  const cacheFolder = mkdtempSync(join(tmpdir(), 'guests-'));
  // A busy machine may take long to start threads.
  const guests = createWasmGuests({
    cacheFolder,
    clock: systemClock,
    limits: { waitMs: 60_000, startMs: 60_000, ...limits },
  });
  t.after(async () => {
    await guests.close();
    rmSync(cacheFolder, { recursive: true, force: true });
  });
  return guests;
}

/** Asks a guest for a path, as its only purpose. */
export const request = (path: string) =>
  [{ method: 'GET', path, headers: [], body: null, user: { id: 'u1', role: 'editor' } }] as const;
