import { FINDING_GROUPS, type Finding, type FindingGroup, SEVERITIES, type Severity } from './findings.ts';

/** The filters of the list of findings, as its address says them. */
export interface FindingsQuery {
  group: FindingGroup | null;
  severity: Severity | null;
  entity: { type: string; id: string } | null;
  /** Contradictions that were accepted, in the place of what is open. */
  isAccepted: boolean;
}

export function findingsQueryOf(search: string): FindingsQuery {
  const query = new URLSearchParams(search);
  const [, type, id] = /^([^/]+)\/(.+)$/.exec(query.get('entity') ?? '') ?? [];
  return {
    group: FINDING_GROUPS.find((group) => group === query.get('kind')) ?? null,
    severity: SEVERITIES.find((severity) => severity === query.get('severity')) ?? null,
    entity: type === undefined || id === undefined ? null : { type, id },
    isAccepted: query.get('accepted') === 'true',
  };
}

/** The query of an address, without `?`. */
export function findingsSearchOf({ group, severity, entity, isAccepted }: FindingsQuery): string {
  const query = new URLSearchParams();
  if (group !== null) query.set('kind', group);
  if (severity !== null) query.set('severity', severity);
  if (entity !== null) query.set('entity', `${entity.type}/${entity.id}`);
  if (isAccepted) query.set('accepted', 'true');
  return query.toString();
}

export const fitting = (
  findings: readonly Finding[],
  { group, severity, entity }: Pick<FindingsQuery, 'group' | 'severity' | 'entity'>,
): Finding[] =>
  findings.filter(
    (finding) =>
      (group === null || finding.group === group) &&
      (severity === null || finding.severity === severity) &&
      (entity === null ||
        finding.evidence.some((one) => one.entity?.type === entity.type && one.entity.id === entity.id)),
  );
