import { after } from 'node:test';
import {
  buildGuest,
  guestFile,
  guestSource,
  wrapGuest,
} from '../../../../test/support/guests/build-guest.ts';
import { testGuests } from '../../../../test/support/guests/guest-folder.ts';
import { guestConformance } from '../guests.conformance.ts';

const guests = testGuests({ after });

guestConformance({ name: 'QuickJS', guests, build: () => buildGuest(guestSource('conformance-guest')) });
guestConformance({ name: 'C', guests, build: () => wrapGuest(guestFile('conformance-guest.core.wasm')) });
