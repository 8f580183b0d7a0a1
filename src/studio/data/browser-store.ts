import { openStore } from '../kit/store/open-store.ts';
import type { BrowserStore } from '../kit/store/tables.ts';

const NAME = 'canonry';
/** The time for which another tab with an older version of the app may keep the store from opening. */
const PATIENCE_MS = 3000;

let opened: Promise<BrowserStore> | undefined;

/** The store of this browser, opened at its first use. */
export function browserStore(): Promise<BrowserStore> {
  opened ??= openStore({ name: NAME, now: Date.now, patienceMs: PATIENCE_MS });
  return opened;
}
