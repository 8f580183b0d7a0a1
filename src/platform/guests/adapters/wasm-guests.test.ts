import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { buildGuest, guestSource } from '../../../../test/support/guests/build-guest.ts';
import { systemClock } from '../../../kit/clock.ts';
import { guestConformance } from '../guests.conformance.ts';
import { createWasmGuests } from './wasm-guests.ts';

const cacheFolder = mkdtempSync(join(tmpdir(), 'guests-'));
const guests = createWasmGuests({ cacheFolder, clock: systemClock });
after(async () => {
  await guests.close();
  rmSync(cacheFolder, { recursive: true });
});

guestConformance({ name: 'QuickJS', guests, build: () => buildGuest(guestSource('conformance-guest')) });
