/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

export interface Pair {
  ours: number;
  floor: number;
  /** Median of the rounds' own ratios: what slows the machine for a moment slows both halves of a round. */
  ratio: number;
}

/** Measures both in turn, so that a busy moment of the machine meets both. The first round warms up and is dropped. */
export async function inTurns(
  rounds: number,
  measure: { ours(): Promise<number>; floor(): Promise<number> },
): Promise<Pair> {
  const ours: number[] = [];
  const floor: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const oursFirst = round % 2 === 0;
    const first = await (oursFirst ? measure.ours() : measure.floor());
    const second = await (oursFirst ? measure.floor() : measure.ours());
    if (round === 0) continue;
    ours.push(oursFirst ? first : second);
    floor.push(oursFirst ? second : first);
  }
  const ratios = ours.map((value, index) => value / (floor[index] ?? Number.NaN));
  return { ours: median(ours), floor: median(floor), ratio: median(ratios) };
}
