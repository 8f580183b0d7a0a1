import { FINDING_KINDS, type FindingKind } from '../../content/canon/index.ts';
import type { FoundFinding } from './canon.run.ts';
import type { SettingsFile } from './canon-settings.service.ts';

export interface Sorted {
  open: FoundFinding[];
  accepted: FoundFinding[];
  /** Why findings were accepted, by their ids. */
  reasons: ReadonlyMap<string, string>;
}

/** Findings of kinds that are switched on, those that were accepted apart. */
export function sortOut(findings: readonly FoundFinding[], { settings }: SettingsFile): Sorted {
  const reasons = new Map(settings.accepted.map(({ finding_id, reason }) => [finding_id, reason]));
  const enabled = findings.filter(({ kind }) => settings.checks[kind]?.enabled !== false);
  return {
    open: enabled.filter(({ finding_id }) => !reasons.has(finding_id)),
    accepted: enabled.filter(({ finding_id }) => reasons.has(finding_id)),
    reasons,
  };
}

/** How many findings there are of each kind. */
export function countsOf({ open, accepted }: Sorted, { settings }: SettingsFile) {
  const count = (findings: readonly FoundFinding[], kind: FindingKind) =>
    findings.filter((finding) => finding.kind === kind).length;
  return (Object.keys(FINDING_KINDS) as FindingKind[]).map((kind) => ({
    kind,
    label: FINDING_KINDS[kind],
    enabled: settings.checks[kind]?.enabled !== false,
    reason: settings.checks[kind]?.reason || null,
    open: count(open, kind),
    accepted: count(accepted, kind),
  }));
}
