/** The end of a slice of a plugin's work. `later`: it cannot go on now. */
export type SliceEnd = 'done' | 'more' | 'later';

const SLICE_MS = 1_000;

/** True once a slice has taken its time, so that the next plugin has a turn. */
export function startSlice(): () => boolean {
  const until = performance.now() + SLICE_MS;
  return () => performance.now() >= until;
}
