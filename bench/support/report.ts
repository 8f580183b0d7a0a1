import type { Pair } from './rounds.ts';

export interface Result {
  what: string;
  ours: string;
  floor: string;
  measured: string;
  target: string;
  passed: boolean;
}

const round = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

/** Two rates in the same unit, only for comparison. */
export const comparedResult = (what: string, unit: string, pair: Pair): Result => ({
  what,
  ours: `${round(pair.ours)} ${unit}`,
  floor: `${round(pair.floor)} ${unit}`,
  measured: `${pair.ratio.toFixed(2)} ×`,
  target: '',
  passed: true,
});

/** Ours and the floor in the same unit, judged by their ratio. */
export const ratioResult = (
  what: string,
  unit: string,
  pair: Pair,
  target: { atLeast: number } | { atMost: number },
): Result => ({
  ...comparedResult(what, unit, pair),
  target: 'atLeast' in target ? `≥ ${target.atLeast} ×` : `≤ ${target.atMost} ×`,
  passed: 'atLeast' in target ? pair.ratio >= target.atLeast : pair.ratio <= target.atMost,
});

/** Our cost beside the floor's, only for comparison; the ratio reads like one of rates. */
export const shareResult = (what: string, unit: string, ours: number, floor: number): Result => ({
  what,
  ours: `${round(ours)} ${unit}`,
  floor: `${round(floor)} ${unit}`,
  measured: `${(floor / ours).toFixed(2)} ×`,
  target: '',
  passed: true,
});

/** A figure of our own, judged by an upper limit. */
export const limitResult = (what: string, unit: string, value: number, below: number): Result => ({
  what,
  ours: `${round(value)} ${unit}`,
  floor: '',
  measured: `${round(value)} ${unit}`,
  target: `< ${below} ${unit}`,
  passed: value < below,
});

/** A count of our own, judged by the most that it may be, beside the least that is possible. */
export function mostResult(
  what: string,
  unit: string,
  value: number,
  { most, floor = '' }: { most: number; floor?: string },
): Result {
  const shown = Number.isInteger(value) ? `${value} ${unit}` : `${round(value)} ${unit}`;
  return { what, ours: shown, floor, measured: shown, target: `≤ ${most} ${unit}`, passed: value <= most };
}

export function printResults(results: readonly Result[]): void {
  const rows = [
    ['what', 'ours', 'floor', 'measured', 'target', ''],
    ...results.map(({ what, ours, floor, measured, target, passed }) => [
      what,
      ours,
      floor,
      measured,
      target,
      target === '' ? '' : passed ? 'PASS' : 'FAIL',
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(4, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  console.log(line(head));
  console.log(line(widths.map((width) => '-'.repeat(width))));
  for (const row of body) console.log(line(row));
}
