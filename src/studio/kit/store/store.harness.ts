import { openStore } from './open-store.ts';

const TEXT = 'She counts the bells. '.repeat(10_000);

const store = await openStore({ name: 'harness', now: Date.now, patienceMs: 3_000 });
const drafts = store.table('drafts');

declare global {
  interface Window {
    /** Puts a draft of 200 KB so many times; yields the milliseconds of each. */
    putDrafts(times: number): Promise<number[]>;
  }
}

window.putDrafts = async (times) => {
  const took: number[] = [];
  for (let at = 0; at < times; at += 1) {
    const begun = performance.now();
    const fault = await drafts.put(['ada', `entity ${at % 3}`], { body: `${TEXT}${at}` });
    if (fault) throw new Error(fault.kind);
    took.push(performance.now() - begun);
  }
  return took;
};
