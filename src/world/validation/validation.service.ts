import { ruleTypeOf } from '../../content/rules/index.ts';
import type { Clock } from '../../kit/clock.ts';
import { messageOf, notFound } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { createRuns, type Run } from '../../kit/runs.ts';
import { requireKey, requireType, type TemplateRegistry } from '../definitions/index.ts';
import { missingEntity, type Project } from '../records/index.ts';
import { adviceOf, findingsOf, type StoredReply } from './findings.ts';
import { knownIds } from './known-ids.ts';
import { storedEntity } from './validation.store.ts';
import { createRunTally, runValidation, type ValidationReport } from './validation-run.ts';

/** A run over a whole project: its results, or its progress. */
export type ValidationStatus = Run & ValidationReport;

const NOTHING: ValidationReport = {
  entity_type: 'all',
  checked: 0,
  valid: 0,
  findings: [],
  findings_total: 0,
  counts: { error: 0, warning: 0, info: 0 },
  by_rule: [],
  truncated: false,
  advisory: [],
};

export interface ValidationOptions {
  registry: TemplateRegistry;
  clock: Clock;
  log: Log;
}

/** Validation of entities against rules and templates (spec 1 §4.1, §4.2). */
export function createValidation({ registry, clock, log }: ValidationOptions) {
  const runs = createRuns<Project, ValidationReport>({
    clock,
    perform: async (project, progress, signal) => {
      const scope = { entityType: null, rulesOf: null };
      return runValidation(project, await registry.of(project), scope, progress, signal);
    },
    onFailure(_project, error, isStopping) {
      if (!isStopping) log.error(`validation failed: ${messageOf(error)}`);
      return 'the run could not be finished; the log has the reason';
    },
  });

  const statusOf = (project: Project, run: Run): ValidationStatus => ({
    ...run,
    ...NOTHING,
    ...(run.status === 'completed' && runs.completed(project)?.report),
  });

  return {
    /** Starts a run over all entities, or joins the running one; resolves when it ends, or after 20 s. */
    all: async (project: Project, options: { wait: boolean }): Promise<ValidationStatus> =>
      statusOf(project, await runs.run(project, options)),

    status: (project: Project): ValidationStatus => statusOf(project, runs.latest(project)),

    /** Checks a type, or all entities against a file for all types; `entityId` limits it to one entity. */
    async type(project: Project, name: string, entityId: string | undefined): Promise<ValidationReport> {
      const set = await registry.of(project);
      const { key, path } = requireKey(set, name);
      const entityType = ruleTypeOf(key);
      if (entityType !== null) requireType(set, entityType);
      const scope = { entityType, rulesOf: entityType === null ? path : null };
      if (entityId === undefined) {
        return runs.inTurn(project, async (signal) =>
          runValidation(project, await registry.of(project), scope, { done: 0, total: 0 }, signal),
        );
      }
      if (entityType === null) {
        throw notFound(`'${name}' is no type, so it has no entity '${entityId}': name the type in the path`, {
          code: 'unknown_type',
        });
      }
      const stored = await storedEntity(project, entityType, entityId);
      if (stored === undefined) {
        throw missingEntity(entityType, entityId);
      }
      const template = requireType(set, entityType);
      const { exists } = await knownIds(project, set.types.keys());
      const tally = createRunTally(Number.POSITIVE_INFINITY, null);
      const reply = JSON.parse(stored.json) as StoredReply;
      tally.add(stored.row_id, findingsOf(template, reply, stored.path, exists));
      return {
        ...NOTHING,
        ...(await tally.report(project)),
        entity_type: entityType,
        advisory: adviceOf([template]),
      };
    },

    isRunning: runs.isBusy,
    stop: runs.stop,
  };
}

export type Validation = ReturnType<typeof createValidation>;
