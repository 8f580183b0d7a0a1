import type { KeptAside, LossReport, Mapping, Refusal } from './types.ts';

export type ImportAction = 'create' | 'merge' | 'replace' | 'skip' | 'refuse';

/** `kept + mapped + kept_aside + refused = total` of the properties of all accepted notes. */
export interface ImportTotals {
  notes: { total: number } & Record<ImportAction, number>;
  properties: { total: number; kept: number; mapped: number; kept_aside: number; refused: number };
  links: { resolved: number; unresolved: number };
  attachments: number;
  refused: number;
}

export const noTotals = (): ImportTotals => ({
  notes: { total: 0, create: 0, merge: 0, replace: 0, skip: 0, refuse: 0 },
  properties: { total: 0, kept: 0, mapped: 0, kept_aside: 0, refused: 0 },
  links: { resolved: 0, unresolved: 0 },
  attachments: 0,
  refused: 0,
});

/** `properties` counts those in its source. */
export function addToTotals(
  totals: ImportTotals,
  action: ImportAction,
  properties: number,
  report: LossReport,
): void {
  totals.notes.total += 1;
  totals.notes[action] += 1;
  totals.refused += report.refused.length;
  if (action === 'skip' || action === 'refuse') return;
  totals.properties.total += properties;
  totals.properties.kept += report.kept.length;
  totals.properties.mapped += report.mapped.length;
  totals.properties.kept_aside += report.kept_aside.length;
  totals.properties.refused += report.refused.filter(({ property }) => property !== undefined).length;
  totals.links.resolved += report.links.resolved;
  totals.links.unresolved += report.links.unresolved.length;
  totals.attachments += report.attachments.length;
}

/** For values that the entity could not take after all; by their intended key. */
export function refuseKeys(report: LossReport, refused: readonly Refusal[]): LossReport {
  const from = sourceNames(report);
  const keys = new Set(refused.map(({ place }) => place));
  const isTaken = ({ to }: Mapping | KeptAside) => !keys.has(to);
  const named = refused.map((each) => {
    const property = from.get(each.place);
    return property === undefined ? each : { ...each, property };
  });
  return {
    ...report,
    kept: report.kept.filter((key) => !keys.has(key)),
    mapped: report.mapped.filter(isTaken),
    kept_aside: report.kept_aside.filter(isTaken),
    refused: [...report.refused, ...named],
  };
}

const sourceNames = ({ kept, mapped, kept_aside }: LossReport): ReadonlyMap<string, string> =>
  new Map([
    ...kept.map((key) => [key, key] as const),
    ...[...mapped, ...kept_aside].map(({ from, to }) => [to, from] as const),
  ]);
