import { byGravity } from '../../content/findings/index.ts';
import type { EntityExists } from '../../content/rules/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { type Clock, isoDate } from '../../kit/clock.ts';
import type { FieldError } from '../../kit/errors.ts';
import { canonOfDraft, type PlacedFinding } from '../canon/index.ts';
import { requireType, type TemplateRegistry } from '../definitions/index.ts';
import { type DraftInput, draftState } from '../entities/index.ts';
import type { Project } from '../records/index.ts';
import { contentJson, type EntityState } from '../texts/index.ts';
import {
  createPlacer,
  type EntityFinding,
  findingsOf,
  type ShownFinding,
  type StoredReply,
} from './findings.ts';
import { existingOf } from './validation.store.ts';

/** More than anybody reads of one entity. */
const MOST_FINDINGS = 500;

export interface DraftFinding extends ShownFinding {
  /** Of a contradiction in story time, as the canon check names it. */
  finding_id?: string;
  /** Both sides of the contradiction. */
  evidence?: PlacedFinding['evidence'];
}

export interface DraftCheckOptions {
  registry: TemplateRegistry;
  clock: Clock;
}

/** Checks what a save would store, against its template, its rules and the canon. Only what is near it is read. */
export function createDraftCheck({ registry, clock }: DraftCheckOptions) {
  return async (project: Project, entityType: string, input: DraftInput) => {
    const set = await registry.knowing(project, [entityType]);
    const template = requireType(set, entityType);
    const { state, refused } = await draftState(project, template, input, isoDate(clock.now()));
    const ownFindings = [
      ...refused.map((fault) => refusedFinding(state, fault)),
      ...placedIn(state, await withAnswers(project, template, state)),
    ];
    const contradictions = await canonOfDraft(project, set.types, state, MOST_FINDINGS);
    const findings = [...ownFindings, ...contradictions.map((found) => canonFinding(state, found))];
    return {
      entity_type: state.entity_type,
      entity_id: state.entity_id,
      is_valid: ownFindings.every(({ severity }) => severity !== 'error'),
      findings: findings.toSorted(byGravity).slice(0, MOST_FINDINGS),
      findings_total: findings.length,
    };
  };
}

export type DraftCheck = ReturnType<typeof createDraftCheck>;

/** Rules ask for other entities one by one and cannot wait: they are asked again until all their questions are answered. */
async function withAnswers(
  project: Project,
  template: TemplateDefinition,
  state: EntityState,
): Promise<EntityFinding[]> {
  const reply = JSON.parse(contentJson(state)) as StoredReply;
  const keyOf = (type: string | null, id: string) => `${type ?? ''}/${id}`;
  const own = [keyOf(state.entity_type, state.entity_id), keyOf(null, state.entity_id)];
  const answers = new Map(own.map((key) => [key, true]));
  for (;;) {
    const asked = new Map<string, { type: string | null; id: string }>();
    const exists: EntityExists = (type, id) => {
      const key = keyOf(type, id);
      const answer = answers.get(key);
      if (answer === undefined) asked.set(key, { type, id });
      return answer ?? true;
    };
    const findings = findingsOf(template, reply, state.path, exists);
    if (asked.size === 0) return findings;
    const there = await existingOf(project, [...new Set([...asked.values()].map(({ id }) => id))]);
    const known = new Set(
      there.flatMap(({ entity_type, entity_id }) => [keyOf(entity_type, entity_id), keyOf(null, entity_id)]),
    );
    for (const key of asked.keys()) answers.set(key, known.has(key));
  }
}

const refusedFinding = (
  { entity_type, entity_id, path }: EntityState,
  { field, message }: FieldError,
): DraftFinding => ({
  rule_id: 'template.refused',
  entity_type,
  entity_id,
  field,
  severity: 'error',
  message: `${field} ${message}`,
  value: null,
  file: path,
  line: null,
});

function placedIn({ path: file, head }: EntityState, findings: readonly EntityFinding[]): ShownFinding[] {
  const lineOf = createPlacer(() => head);
  return findings.map((finding) => {
    const { entity_type, entity_id, kind, field, severity, message, value } = finding;
    const line = lineOf(file, finding);
    return { rule_id: kind, entity_type, entity_id, field, severity, message, value, file, line };
  });
}

function canonFinding(
  { entity_type, entity_id, path }: EntityState,
  { finding_id, kind, severity, message, evidence }: PlacedFinding,
): DraftFinding {
  const own = evidence.find((side) => side.entity_type === entity_type && side.entity_id === entity_id);
  return {
    rule_id: `canon.${kind}`,
    entity_type,
    entity_id,
    field: own?.field ?? null,
    severity,
    message,
    value: own?.value ?? null,
    file: path,
    line: own?.line ?? null,
    finding_id,
    evidence,
  };
}
