export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

export interface Pair {
  ours: number;
  floor: number;
  /** Median of the rounds' own ratios: a brief slowdown of the machine affects both halves of a round. */
  ratio: number;
}

export const pairOf = (rounds: readonly Omit<Pair, 'ratio'>[]): Pair => ({
  ours: median(rounds.map(({ ours }) => ours)),
  floor: median(rounds.map(({ floor }) => floor)),
  ratio: median(rounds.map(({ ours, floor }) => ours / floor)),
});

/**
 * Measures both alternately, so that a busy moment of the machine affects both. The first round warms up and is dropped.
 */
export async function inTurns(
  rounds: number,
  measure: { ours(): Promise<number>; floor(): Promise<number> },
): Promise<Pair> {
  const pairs: Omit<Pair, 'ratio'>[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const oursFirst = round % 2 === 0;
    const first = await (oursFirst ? measure.ours() : measure.floor());
    const second = await (oursFirst ? measure.floor() : measure.ours());
    if (round === 0) continue;
    pairs.push(oursFirst ? { ours: first, floor: second } : { ours: second, floor: first });
  }
  return pairOf(pairs);
}
