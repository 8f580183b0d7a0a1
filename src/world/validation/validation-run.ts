import { setImmediate as turn } from 'node:timers/promises';
import { byGravity, createTally, type Severity } from '../../content/findings/index.ts';
import { createPauses } from '../../kit/pauses.ts';
import type { Progress } from '../../kit/runs.ts';
import type { TemplateSet } from '../definitions/index.ts';
import { type Project, pages, type RecordsDb, rowlessFaultyFiles } from '../records/index.ts';
import {
  type Advice,
  adviceOf,
  createOnce,
  createPlacer,
  type EntityFinding,
  faultFinding,
  findingsOf,
  type ShownFinding,
  type StoredReply,
} from './findings.ts';
import { knownIds } from './known-ids.ts';
import { headsOf, type StoredEntity, storedEntities } from './validation.store.ts';

export interface ValidationScope {
  /** Null for all types. */
  entityType: string | null;
  /** The path of a rule file to check alone; null for all rules and the templates. */
  rulesOf: string | null;
}

export interface ValidationReport {
  entity_type: string;
  checked: number;
  /** Entities without a finding of severity `error`. */
  valid: number;
  /** Ordered by severity, at most 1,000. */
  findings: ShownFinding[];
  findings_total: number;
  counts: Record<Severity, number>;
  /** Violations per rule, ordered by severity and then by number. */
  by_rule: RuleCount[];
  truncated: boolean;
  advisory: Advice[];
}

export interface RuleCount {
  rule_id: string;
  severity: Severity;
  findings: number;
}

interface Kept extends EntityFinding {
  rowId: number;
}

const PAGE = 50;
const MOST_FINDINGS = 1_000;

/** Checks all entities of a scope in small steps. Rejects with the signal's reason after an abort. */
export async function runValidation(
  project: Project,
  set: TemplateSet,
  scope: ValidationScope,
  progress: Progress,
  signal: AbortSignal,
): Promise<ValidationReport> {
  const { entityType, rulesOf } = scope;
  const { exists, rows } = await knownIds(project, set.types.keys());
  const rowIds = rows(entityType);
  progress.total = rowIds.length;
  const tally = createRunTally(MOST_FINDINGS, createOnce());
  const pause = createPauses(signal);
  const check = ({ row_id, path, json }: StoredEntity) => {
    const reply = JSON.parse(json) as StoredReply;
    const template = set.types.get(reply.entity_type);
    if (template) tally.add(row_id, findingsOf(template, reply, path, exists, rulesOf));
    progress.done += 1;
  };
  for (let from = 0; from < rowIds.length; from += PAGE) {
    for (const entity of await storedEntities(project, rowIds.slice(from, from + PAGE))) {
      check(entity);
      await pause();
    }
    await turn();
  }
  if (rulesOf === null) await addRowless(project, entityType, tally);
  const templates = [...set.types.values()].filter(
    ({ entity_type }) => entityType === null || entity_type === entityType,
  );
  return {
    entity_type: entityType ?? 'all',
    ...(await tally.report(project)),
    advisory: adviceOf(templates, rulesOf),
  };
}

/** Adds files that were never readable: they have no row, so no other check finds them. */
async function addRowless(project: Project, entityType: string | null, tally: RunTally): Promise<void> {
  const readPage = (after: string, limit: number) =>
    project.database.read((db: RecordsDb) => rowlessFaultyFiles(db, project, after, limit));
  for await (const page of pages('', readPage, ({ path }) => path)) {
    for (const file of page) {
      if (entityType === null || file.entity_type === entityType) tally.add(0, [faultFinding(file)]);
    }
    await turn();
  }
}

type RunTally = ReturnType<typeof createRunTally>;

const ruleOf = ({ severity, kind }: EntityFinding): string => `${severity} ${kind}`;

/** Keeps the most severe findings. `once` reports rules that cannot be checked once; null reports all. */
export function createRunTally(most: number, once: ReturnType<typeof createOnce<Kept>> | null) {
  const findings = createTally({ keyOf: ({ severity }: Kept) => severity, mostOfEach: most });
  const rules = createTally({ keyOf: ruleOf, mostOfEach: 1 });
  let checked = 0;
  let valid = 0;
  const count = (severity: Severity) => findings.counts.get(severity) ?? 0;
  const countRule = (first: EntityFinding): RuleCount => ({
    rule_id: first.kind,
    severity: first.severity,
    findings: rules.likeOf(first),
  });
  return {
    add(rowId: number, found: readonly EntityFinding[]): void {
      checked += 1;
      if (found.every(({ severity }) => severity !== 'error')) valid += 1;
      for (const finding of found) {
        const kept = { ...finding, rowId };
        if (once?.isNew(kept) === false) continue;
        findings.add(kept);
        rules.add(kept);
      }
    },
    async report(project: Project) {
      once?.finish();
      const total = findings.total();
      return {
        checked,
        valid,
        counts: { error: count('error'), warning: count('warning'), info: count('info') },
        by_rule: rules.kept.map(countRule).sort((a, b) => byGravity(a, b) || b.findings - a.findings),
        findings_total: total,
        truncated: total > most,
        findings: await withLines(project, findings.kept.sort(byGravity).slice(0, most)),
      };
    },
  };
}

/** A report with only its findings of severity `error`; its totals stay. */
export const errorsAlone = <Report extends Pick<ValidationReport, 'findings'>>(report: Report): Report => ({
  ...report,
  findings: report.findings.filter(({ severity }) => severity === 'error'),
});

/** Looks up the lines of findings; only files with findings are parsed. */
async function withLines(project: Project, findings: readonly Kept[]): Promise<ShownFinding[]> {
  const shown: ShownFinding[] = [];
  const pause = createPauses();
  for (let from = 0; from < findings.length; from += PAGE) {
    const part = findings.slice(from, from + PAGE);
    const heads = await headsOf(project, [...new Set(part.map(({ rowId }) => rowId))]);
    const lineOf = createPlacer((rowId: number) => heads.get(rowId));
    for (const finding of part) {
      const { entity_type, entity_id, file, kind, field, severity, message, value, rowId } = finding;
      const line = lineOf(rowId, finding);
      shown.push({ entity_type, entity_id, file, rule_id: kind, field, severity, message, value, line });
      await pause();
    }
  }
  return shown;
}
