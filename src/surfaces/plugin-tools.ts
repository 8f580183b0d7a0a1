import { systemClock } from '../kit/clock.ts';
import { createWasmGuests } from '../platform/guests/adapters/wasm-guests.ts';
import type { Guests } from '../platform/guests/guests.ts';
import { createParcelWatcher } from '../platform/watcher/adapters/parcel-watcher.ts';
import type { Watcher } from '../platform/watcher/watcher.ts';

/** For those who write plugins: runs guests without a service. */
export const openGuests = (cacheFolder: string): Guests =>
  createWasmGuests({ cacheFolder, clock: systemClock });

export const watchFolder = (root: string): Watcher => createParcelWatcher({ root });
