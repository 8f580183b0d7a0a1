import { unknownFields } from '../../content/entity/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { canonOfDrafts } from '../canon/index.ts';
import { answerQuestions, type EntityName, type Project, type RecordsDb } from '../records/index.ts';
import type { EntityState } from '../texts/index.ts';
import type { Draft } from './draft.ts';
import type { CanonFinding, ProposalFinding } from './proposal.ts';

const MOST = 100;

/** An answer may have any number of faults, and lists show the findings of each proposal. */
export function firstOf(findings: readonly ProposalFinding[]): readonly ProposalFinding[] {
  if (findings.length <= MOST) return findings;
  const message = `${findings.length - MOST} more findings are left out`;
  return [...findings.slice(0, MOST), { field: null, severity: 'info', message }];
}

/** Objections of rules and types to the draft that they do not have to its base. `planned` names entities that other drafts create. */
export async function findingsOf(
  project: Project,
  { template, row, base, full, content }: Draft,
  planned: readonly EntityName[] = [],
): Promise<ProposalFinding[]> {
  const states = [base.state, full.state].map((state) => withoutPlanned(state, planned));
  const leaving = row === null ? [] : [row];
  const [before, after] = await project.database.read((db: RecordsDb) =>
    Promise.all(states.map(async (state) => (await answerQuestions(db, project, [state], leaving))[0])),
  );
  const known = new Set((before?.validation_errors ?? []).map(keyOf));
  const changed = new Set(Object.keys(content.fields));
  const faults = (after?.validation_errors ?? []).filter(
    (error) => !known.has(keyOf(error)) || changed.has(String(error.field).split('.')[0] ?? ''),
  );
  const values = Object.fromEntries(
    Object.entries(content.fields).flatMap(([name, { after: value }]) =>
      value === null || name === 'name' || name === 'status' ? [] : [[name, value]],
    ),
  );
  return [
    ...faults.map(({ field = null, severity = 'error', message = '' }) => ({ field, severity, message })),
    ...unknownFields(template, values).map(({ field, message }) => ({
      field,
      severity: 'warning' as const,
      message,
    })),
  ].slice(0, MOST);
}

const keyOf = ({ field, message }: EntityState['validation_errors'][number]): string =>
  `${field}\n${message}`;

function withoutPlanned(state: EntityState, planned: readonly EntityName[]): EntityState {
  const isPlanned = ({ to_type, to_id }: EntityState['questions'][number]) =>
    planned.some(
      ({ entity_type, entity_id }) => to_id === entity_id && (to_type ?? entity_type) === entity_type,
    );
  return { ...state, questions: state.questions.filter((question) => !isPlanned(question)) };
}

/** The contradictions of story time that the drafts together would bring. */
export async function canonFindingsOf(
  project: Project,
  types: ReadonlyMap<string, TemplateDefinition>,
  drafts: readonly Draft[],
): Promise<CanonFinding[]> {
  const changes = drafts.map(({ row, base, full }) => ({
    before: row === null ? null : base.state,
    after: full.state,
  }));
  const found = await canonOfDrafts(project, types, changes);
  return found.slice(0, MOST).map(({ finding_id, kind, severity, message, evidence }) => ({
    finding_id,
    kind,
    severity,
    message,
    evidence: evidence.map(({ entity_type, entity_id, name, field, value }) => ({
      entity_type,
      entity_id,
      name,
      field,
      value,
    })),
  }));
}
