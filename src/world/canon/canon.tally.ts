import { FINDING_KINDS, type FindingKind } from '../../content/canon/index.ts';
import type { FoundFinding } from './canon.run.ts';
import type { SettingsFile } from './canon-settings.service.ts';

export interface Sorted {
  open: FoundFinding[];
  accepted: FoundFinding[];
  /** The reasons of accepted findings, by id. */
  reasons: ReadonlyMap<string, string>;
}

export function sortOut(findings: readonly FoundFinding[], { settings }: SettingsFile): Sorted {
  const reasons = new Map(settings.accepted.map(({ finding_id, reason }) => [finding_id, reason]));
  const enabled = findings.filter(({ kind }) => settings.checks[kind]?.enabled !== false);
  return {
    open: enabled.filter(({ finding_id }) => !reasons.has(finding_id)),
    accepted: enabled.filter(({ finding_id }) => reasons.has(finding_id)),
    reasons,
  };
}

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
