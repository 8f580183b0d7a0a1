import { setImmediate as turn } from 'node:timers/promises';
import { createPauses } from '../../kit/pauses.ts';
import { type Project, pages, type RecordsDb, rowlessFaultyFiles } from '../records/index.ts';
import type { TemplateSet } from '../templates/index.ts';
import {
  type Advice,
  adviceOf,
  byGravity,
  createOnce,
  type Finding,
  faultFinding,
  findingsOf,
  placed,
  type StoredReply,
  type Unplaced,
} from './findings.ts';
import { knownIds } from './known-ids.ts';
import { headsOf, type StoredEntity, storedEntities } from './validation.store.ts';

/** What is to be looked at. */
export interface ValidationScope {
  /** Null: all types. */
  entityType: string | null;
  /** A rule file whose rules alone are asked; null: all rules and the templates. */
  rulesOf: string | null;
}

export interface ValidationReport {
  entity_type: string;
  checked: number;
  /** Entities without a finding of severity `error`. */
  valid: number;
  /** The gravest first, at most 1,000. */
  findings: Finding[];
  findings_total: number;
  counts: { error: number; warning: number; info: number };
  /** How often each rule is broken, the gravest first and of these the most frequent. */
  by_rule: RuleCount[];
  truncated: boolean;
  advisory: Advice[];
}

export interface RuleCount {
  rule_id: string;
  severity: Finding['severity'];
  findings: number;
}

export interface Progress {
  done: number;
  total: number;
}

interface Kept extends Unplaced {
  rowId: number;
}

const PAGE = 50;
const MOST_FINDINGS = 1_000;

/** Checks all entities of a scope, a little at a time. Rejects with the signal's reason when it is stopped. */
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
  const tally = createTally();
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
    ...tally.sums(),
    findings: await withLines(project, tally.kept()),
    advisory: adviceOf(templates, rulesOf),
  };
}

/** Files that could not be read ever since they came have no row, so nothing else tells of them. */
async function addRowless(project: Project, entityType: string | null, tally: Tally): Promise<void> {
  const readPage = (after: string, limit: number) =>
    project.database.read((db: RecordsDb) => rowlessFaultyFiles(db, project, after, limit));
  for await (const page of pages('', readPage, ({ path }) => path)) {
    for (const file of page) {
      if (entityType === null || file.entity_type === entityType) tally.add(0, [faultFinding(file)]);
    }
    await turn();
  }
}

type Tally = ReturnType<typeof createTally>;

function countRule(counts: Map<string, RuleCount>, { rule_id, severity }: Unplaced): void {
  const key = `${severity} ${rule_id}`;
  const known = counts.get(key);
  if (known) known.findings += 1;
  else counts.set(key, { rule_id, severity, findings: 1 });
}

const sortedCounts = (counts: ReadonlyMap<string, RuleCount>): RuleCount[] =>
  [...counts.values()].sort((a, b) => byGravity(a, b) || b.findings - a.findings);

/** How often each rule is among a few findings. */
export function countsByRule(findings: readonly Unplaced[]): RuleCount[] {
  const counts = new Map<string, RuleCount>();
  for (const finding of findings) countRule(counts, finding);
  return sortedCounts(counts);
}

/** A report with its findings of severity `error` alone; what it counts stays. */
export const errorsAlone = <Report extends Pick<ValidationReport, 'findings'>>(report: Report): Report => ({
  ...report,
  findings: report.findings.filter(({ severity }) => severity === 'error'),
});

/** Counts findings and keeps the gravest of them. */
function createTally() {
  const kept: Record<Finding['severity'], Kept[]> = { error: [], warning: [], info: [] };
  const counts = { error: 0, warning: 0, info: 0 };
  const byRule = new Map<string, RuleCount>();
  let checked = 0;
  let valid = 0;
  const once = createOnce();
  return {
    add(rowId: number, findings: readonly Unplaced[]): void {
      checked += 1;
      if (findings.every(({ severity }) => severity !== 'error')) valid += 1;
      for (const finding of findings) {
        const told = { ...finding, rowId };
        if (!once.isNew(finding, told)) continue;
        counts[finding.severity] += 1;
        countRule(byRule, finding);
        const list = kept[finding.severity];
        if (list.length < MOST_FINDINGS) list.push(told);
      }
    },
    kept(): Kept[] {
      once.finish();
      return [...kept.error, ...kept.warning, ...kept.info].slice(0, MOST_FINDINGS);
    },
    sums() {
      const total = counts.error + counts.warning + counts.info;
      const by_rule = sortedCounts(byRule);
      return { checked, valid, counts, by_rule, findings_total: total, truncated: total > MOST_FINDINGS };
    },
  };
}

/** Looks up where findings stand: files are parsed for their lines alone, and only where there is something to say. */
export async function withLines(project: Project, findings: readonly Kept[]): Promise<Finding[]> {
  const found: Finding[] = [];
  const pause = createPauses();
  for (let from = 0; from < findings.length; from += PAGE) {
    const part = findings.slice(from, from + PAGE);
    const heads = await headsOf(project, [...new Set(part.map(({ rowId }) => rowId))]);
    for (const { rowId, ...finding } of part) {
      found.push(placed(finding, heads.get(rowId)));
      await pause();
    }
  }
  return found;
}
