import type { Kysely } from 'kysely';
import type { ReferenceQuestion } from '../../content/entity/index.ts';
import { inParts } from '../../platform/database/in-parts.ts';
import { inProject } from '../../platform/database/scoped.ts';
import type { EntityState } from '../texts/index.ts';
import type { EntityName } from './edges.store.ts';
import { type RecordTables, TEMPLATE_ROW_TYPE } from './records.tables.ts';
import type { Project } from './scope.ts';

/** Missing references that are reported per rule. */
const MOST_FAULTS = 50;

const ANY_TYPE = '*';
const keyOf = (type: string | null, id: string): string => `${type ?? ANY_TYPE}/${id}`;

/**
 * Adds missing references to `validation_errors`, as if all the states were stored, with one query if there are any questions.
 * `leaving` are names in use that the same write gives up.
 */
export async function answerQuestions(
  db: Kysely<RecordTables>,
  project: Project,
  states: readonly EntityState[],
  leaving: readonly EntityName[] = [],
): Promise<EntityState[]> {
  const asked = new Set(states.flatMap(({ questions }) => questions.map(({ to_id }) => to_id)));
  if (asked.size === 0) return [...states];
  const left = new Set(leaving.map(({ entity_type, entity_id }) => keyOf(entity_type, entity_id)));
  const found = (await namesWith(db, project, [...asked])).filter(
    ({ entity_type, entity_id }) => !left.has(keyOf(entity_type, entity_id)),
  );
  const known = new Set<string>();
  for (const { entity_type, entity_id } of [...found, ...states]) {
    known.add(keyOf(entity_type, entity_id)).add(keyOf(null, entity_id));
  }
  return states.map((state) => answered(state, known));
}

function answered(state: EntityState, known: ReadonlySet<string>): EntityState {
  const open = state.questions.filter(({ to_type, to_id }) => !known.has(keyOf(to_type, to_id)));
  if (open.length === 0) return state;
  return { ...state, is_valid: false, validation_errors: [...state.validation_errors, ...errorsOf(open)] };
}

function errorsOf(open: readonly ReferenceQuestion[]) {
  const byRule = Map.groupBy(open, ({ error }) => error.rule_id);
  return [...byRule.values()].flatMap((questions) =>
    questions.slice(0, MOST_FAULTS).map(({ error }) => error),
  );
}

const namesWith = (
  db: Kysely<RecordTables>,
  project: Project,
  entityIds: readonly string[],
): Promise<EntityName[]> =>
  inParts(entityIds, (part) =>
    inProject(db, project)
      .selectFrom('entities')
      .select(['entity_type', 'entity_id'])
      .where('entity_id', 'in', part)
      .where('entity_type', '<>', TEMPLATE_ROW_TYPE)
      .execute(),
  );
