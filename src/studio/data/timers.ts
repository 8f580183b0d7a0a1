import type { Timers } from './drafts/entity-api.ts';

/** The clock of the browser. */
export const timers: Timers = {
  now: Date.now,
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};
