/** Puts an item into a list that is in order, and has no more than the best of them. */
export function keepBest<T>(best: T[], item: T, most: number, isBetter: (one: T, other: T) => boolean): void {
  const last = best.at(-1);
  if (best.length >= most && (last === undefined || !isBetter(item, last))) return;
  const at = best.findIndex((other) => isBetter(item, other));
  best.splice(at < 0 ? best.length : at, 0, item);
  if (best.length > most) best.pop();
}
