import type { FindingKind as ContradictionKind } from '../../content/canon/index.ts';
import type { Severity } from '../../content/findings/index.ts';
import { overlaps } from './field-path.ts';

/** The four sources of findings, in the order in which their groups stand. */
export const FINDING_GROUPS = ['files', 'contradictions', 'rules', 'references'] as const;
export type FindingGroup = (typeof FINDING_GROUPS)[number];

export type { ContradictionKind, Severity };

/** A place that a finding speaks of. */
export interface Evidence {
  /** Null for a file that cannot be read. */
  entity: { type: string; id: string } | null;
  /** As the service names it; null where it says the id alone. */
  name: string | null;
  /** Dotted path, or `markdown_body`. */
  field: string | null;
  value: unknown;
  file: string | null;
  /** In the file, from 1. */
  line: number | null;
}

interface CommonFinding {
  /** The same for the same finding. */
  key: string;
  severity: Severity;
  evidence: readonly Evidence[];
}

export type Finding = CommonFinding &
  (
    | { group: 'files'; message: string }
    | {
        group: 'contradictions';
        kind: ContradictionKind;
        message: string;
        id: string;
        /** Why it was accepted; null while it is open. */
        reason: string | null;
      }
    | { group: 'rules'; rule: string; message: string }
    | {
        group: 'references';
        isAmbiguous: boolean;
        target: string;
        candidates: readonly { type: string; id: string; name: string }[];
      }
  );

export type Contradiction = Extract<Finding, { group: 'contradictions' }>;

/** A contradiction that somebody said is meant. */
export const isAccepted = (finding: Finding): finding is Contradiction =>
  finding.group === 'contradictions' && finding.reason !== null;

interface ServiceEvidence {
  entity_type: string;
  entity_id: string;
  name: string;
  field: string;
  value: unknown;
  file: string;
  line: number | null;
}

interface ServiceContradiction {
  finding_id: string;
  kind: ContradictionKind;
  severity: Severity;
  message: string;
  evidence: readonly ServiceEvidence[];
  reason: string | null;
}

export const contradictionFinding = (found: ServiceContradiction): Finding => ({
  group: 'contradictions',
  key: `contradictions:${found.finding_id}`,
  id: found.finding_id,
  kind: found.kind,
  severity: found.severity,
  message: found.message,
  reason: found.reason,
  evidence: found.evidence.map(({ entity_type, entity_id, name, field, value, file, line }) => ({
    entity: { type: entity_type, id: entity_id },
    name,
    field,
    value,
    file,
    line,
  })),
});

interface ServiceRuleFinding {
  rule_id: string;
  entity_type: string;
  entity_id: string;
  field: string | null;
  severity: Severity;
  message: string;
  value: unknown;
  file: string;
  line: number | null;
}

const UNREADABLE = 'template.unreadable_file';

/** A file that cannot be read breaks no rule, and the list of such files may have it too. */
export const ruleFinding = (found: ServiceRuleFinding): Finding => {
  const { rule_id, entity_type, entity_id, field, severity, message, value, file, line } = found;
  const evidence = [{ entity: { type: entity_type, id: entity_id }, name: null, field, value, file, line }];
  if (rule_id === UNREADABLE) return { group: 'files', key: `files:${file}`, severity, message, evidence };
  const key = `rules:${[rule_id, entity_type, entity_id, field, line].join(':')}`;
  return { group: 'rules', key, rule: rule_id, severity, message, evidence };
};

interface ServicePluginFinding {
  plugin_id: string;
  entity_type: string;
  entity_id: string;
  name: string;
  severity: Severity;
  field: string | null;
  message: string;
}

/** The rule of a finding that a plugin made begins with this. */
export const BY_PLUGIN = 'plugin.';

/** The number tells findings of one field apart. */
export const pluginFinding = (found: ServicePluginFinding, number: number): Finding => {
  const { plugin_id, entity_type: type, entity_id: id, name, severity, field, message } = found;
  return {
    group: 'rules',
    key: `rules:${[BY_PLUGIN + plugin_id, type, id, field, number].join(':')}`,
    rule: BY_PLUGIN + plugin_id,
    severity,
    message,
    evidence: [{ entity: { type, id }, name, field, value: null, file: null, line: null }],
  };
};

interface ServiceEntity {
  entity_type: string;
  entity_id: string;
  name: string;
}

export interface ServiceReference {
  field: string;
  from: ServiceEntity;
  to_type: string | null;
  to_id: string;
  state: 'found' | 'missing' | 'ambiguous';
  candidates: readonly ServiceEntity[];
  file?: string;
  line?: number | null;
}

export const referenceFinding = (found: ServiceReference): Finding => {
  const { field, from, to_type, to_id, state, candidates, file = null, line = null } = found;
  return {
    group: 'references',
    key: `references:${[from.entity_type, from.entity_id, field, to_type, to_id, line].join(':')}`,
    severity: 'error',
    isAmbiguous: state === 'ambiguous',
    target: to_id,
    candidates: candidates.map(({ entity_type, entity_id, name }) => ({
      type: entity_type,
      id: entity_id,
      name,
    })),
    evidence: [
      {
        entity: { type: from.entity_type, id: from.entity_id },
        name: from.name,
        field,
        value: null,
        file,
        line,
      },
    ],
  };
};

export const fileFinding = ({
  path,
  line,
  reason,
}: {
  path: string;
  line: number;
  reason: string;
}): Finding => ({
  group: 'files',
  key: `files:${path}`,
  severity: 'error',
  message: reason,
  evidence: [{ entity: null, name: null, field: null, value: null, file: path, line }],
});

/** Of those with one key, the first. */
export const withoutRepeats = (findings: readonly Finding[]): Finding[] => {
  const byKey = new Map<string, Finding>();
  for (const finding of findings) if (!byKey.has(finding.key)) byKey.set(finding.key, finding);
  return [...byKey.values()];
};

export interface FindingGroupOf {
  group: FindingGroup;
  findings: readonly Finding[];
}

/** The groups that have findings, each with the gravest first. */
export function groupedFindings(findings: readonly Finding[]): FindingGroupOf[] {
  return FINDING_GROUPS.map((group) => ({
    group,
    findings: findings.filter((one) => one.group === group).sort(byGravity),
  })).filter((one) => one.findings.length > 0);
}

export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

const byGravity = (one: Finding, other: Finding): number =>
  SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity);

/** A finding about a field, something within it or what it is within; a place in the text is `markdown_body#heading`. */
export function isAboutField(
  { evidence }: Finding,
  entity: { type: string; id: string },
  place: string,
): boolean {
  const [path = place] = place.split('#');
  return evidence.some(
    (one) =>
      one.entity?.type === entity.type &&
      one.entity.id === entity.id &&
      one.field !== null &&
      overlaps(one.field, path),
  );
}
