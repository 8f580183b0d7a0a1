import { setImmediate as turn } from 'node:timers/promises';
import { bindingReferenceRules } from '../../content/rules/index.ts';
import { createBackground } from '../../kit/background.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { TemplateRegistry, TemplateSet } from '../definitions/index.ts';
import {
  answerQuestions,
  doubtfulReferrerIds,
  type EntityName,
  type EntityRow,
  faultyState,
  findFiles,
  findReferrers,
  type Project,
  type RecordsDb,
  referrerIds,
  type StoredReferrer,
  storeValidity,
  takeSequence,
} from '../records/index.ts';
import { type EntityState, entityJson, fileTextOf, readEntityFile } from '../texts/index.ts';

/** Rows per transaction; others wait for it (some ms). */
const SLICE = 20;

/** A request that made or removed a target waits for this many referrers; the rest are checked in the background. */
const AWAITED = 300;

/** Names that refer to an entity now, and names that no longer do. */
export interface TargetChanges {
  added: readonly EntityName[];
  removed: readonly EntityName[];
}

export type ReferenceChecks = ReturnType<typeof createReferenceChecks>;

/**
 * Keeps `validation_errors` true for rules about other entities: computed when a state is stored, and again here when a target is added
 * or removed. Projects without such a rule pay nothing. Errors are only logged: the change itself is done.
 */
export function createReferenceChecks({ templates, log }: { templates: TemplateRegistry; log: Log }) {
  const behind = createBackground<Project>();

  async function recheck(project: Project, rowIds: readonly number[]): Promise<void> {
    for (let at = 0; at < rowIds.length; at += SLICE) {
      if (at > 0) await turn();
      await recheckSlice(project, await templates.of(project), rowIds.slice(at, at + SLICE));
    }
  }

  async function recheckAll(project: Project, groups: AsyncIterable<number[]>): Promise<void> {
    for await (const rowIds of groups) await recheck(project, rowIds);
  }

  const tolerant = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      log.error(`what refers to changed entities could not be checked: ${messageOf(error)}`);
    });

  const withAskingTypes = (project: Project, work: (types: string[]) => Promise<void>): Promise<void> =>
    tolerant(
      templates.of(project).then(async (set) => {
        const types = askingTypes(set);
        if (types.length > 0) await work(types);
      }),
    );

  return {
    /** Checks the referrers of added and removed names again. Resolves after the first hundreds. */
    follow: (project: Project, changes: TargetChanges): Promise<void> =>
      withAskingTypes(project, async (types) => {
        const rowIds: number[] = [];
        for await (const group of referrersAbout(project, changes, types)) rowIds.push(...group);
        await recheck(project, rowIds.slice(0, AWAITED));
        if (rowIds.length <= AWAITED) return;
        behind.add(project, tolerant(recheck(project, rowIds.slice(AWAITED))));
      }),

    /** The same after a sync. Resolves when all referrers are checked. */
    followAll: (project: Project, changes: TargetChanges): Promise<void> =>
      withAskingTypes(project, (types) => recheckAll(project, referrersAbout(project, changes, types))),

    /** Finds unchecked changes: another process made them, or this one was stopped before it could check. */
    repair: (project: Project): Promise<void> =>
      withAskingTypes(project, (types) => recheckAll(project, doubtfulReferrerIds(project, types))),

    idle: (): Promise<void> => behind.idle(),
    /** True while background checks of the project are pending. */
    isBusy: behind.isBusy,
  };
}

const askingTypes = ({ types }: TemplateSet): string[] =>
  [...types.values()]
    .filter((template) => bindingReferenceRules(template).length > 0)
    .map(({ entity_type }) => entity_type);

/** Yields the referrers whose result may differ now: an added name can only fix invalid ones. */
async function* referrersAbout(
  project: Project,
  { added, removed }: TargetChanges,
  types: readonly string[],
) {
  if (removed.length > 0) yield* referrerIds(project, { ids: idsOf(removed), types, invalidOnly: false });
  if (added.length > 0) yield* referrerIds(project, { ids: idsOf(added), types, invalidOnly: true });
}

const idsOf = (names: readonly EntityName[]): string[] => [
  ...new Set(names.map(({ entity_id }) => entity_id)),
];

function recheckSlice(project: Project, set: TemplateSet, rowIds: readonly number[]): Promise<void> {
  const { dialect } = project.database;
  return project.database.write(async (db: RecordsDb) => {
    // No other process can store a state of the project until this transaction ends.
    await takeSequence(db, project, 0);
    const stored = await findReferrers(db, project, rowIds);
    const read = stored.flatMap((row) => stateOf(row, set) ?? []);
    const states = await answerQuestions(
      db,
      project,
      read.map(({ state }) => state),
    );
    const files = await findFiles(
      db,
      project,
      read.map(({ row }) => row.path),
    );
    const changed = read.flatMap(({ row }, index) => {
      const problem = files.get(row.path)?.problem ?? null;
      const answered = states[index];
      const state = answered && problem !== null ? faultyState(answered, problem) : answered;
      return state && !mirrors(row, state) ? [{ state, row: rowAlone(row) }] : [];
    });
    if (changed.length > 0) await storeValidity(db, dialect, changed);
  });
}

/** Parses the stored state again; undefined if another template is in force, since a new rendering follows anyway. */
function stateOf(
  row: StoredReferrer,
  set: TemplateSet,
): { state: EntityState; row: StoredReferrer } | undefined {
  const template = set.types.get(row.entity_type);
  const file = { path: row.path, text: fileTextOf(row), checksum: row.file_checksum };
  const read = template && readEntityFile(template, file);
  return read?.ok && read.state.entity_id === row.entity_id ? { state: read.state, row } : undefined;
}

const mirrors = (row: StoredReferrer, state: EntityState): boolean =>
  row.json === entityJson(state, row) && row.is_valid === (state.is_valid ? 1 : 0);

const rowAlone = ({ json: _json, head: _head, ...row }: StoredReferrer): EntityRow => row;
