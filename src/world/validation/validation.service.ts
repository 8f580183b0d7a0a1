import { ruleTypeOf } from '../../content/rules/index.ts';
import { createBackground } from '../../kit/background.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { messageOf, notFound, unavailable } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Log } from '../../kit/log.ts';
import type { Project } from '../records/index.ts';
import { requireKey } from '../rules/index.ts';
import { requireType, type TemplateRegistry } from '../templates/index.ts';
import { adviceOf, byGravity, findingsOf, type StoredReply } from './findings.ts';
import { knownIds } from './known-ids.ts';
import { storedEntity } from './validation.store.ts';
import {
  countsByRule,
  runValidation,
  type ValidationReport,
  type ValidationScope,
  withLines,
} from './validation-run.ts';

/** A run over a whole project: what it found, or how far it is. */
export interface ValidationStatus extends ValidationReport {
  run_id: string | null;
  status: 'idle' | 'running' | 'completed' | 'failed';
  done: number;
  total: number;
  started_at: string | null;
  finished_at: string | null;
  duration_ms: number | null;
  error: string | null;
}

interface Run {
  status: ValidationStatus;
  finished: Promise<void>;
}

const NOTHING: ValidationStatus = {
  run_id: null,
  status: 'idle',
  done: 0,
  total: 0,
  started_at: null,
  finished_at: null,
  duration_ms: null,
  error: null,
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

/** A caller waits so long for a run over everything; it goes on behind. */
const PATIENCE_MS = 20_000;

export interface ValidationOptions {
  registry: TemplateRegistry;
  clock: Clock;
  log: Log;
}

/** Validation of entities against rules and templates (spec 1 §4.1, §4.2). */
export function createValidation({ registry, clock, log }: ValidationOptions) {
  const runs = new Map<Project, Run>();
  /** What waits for the project's turn: one run at a time. */
  const turns = new Map<Project, Promise<unknown>>();
  const running = createBackground<Project>();
  const stopping = new AbortController();

  function inTurn<Result>(project: Project, work: () => Promise<Result>): Promise<Result> {
    const result = (turns.get(project) ?? Promise.resolve()).then(work, work);
    turns.set(project, result);
    running.add(project, result);
    return result;
  }

  async function perform(
    project: Project,
    scope: ValidationScope,
    progress: { done: number; total: number },
  ) {
    return runValidation(project, await registry.of(project), scope, progress, stopping.signal);
  }

  function start(project: Project): Run {
    const startedAt = clock.now();
    const status: ValidationStatus = {
      ...NOTHING,
      run_id: newId(),
      status: 'running',
      started_at: isoTime(startedAt),
    };
    const finish = (more: Partial<ValidationStatus>) => {
      const at = clock.now();
      Object.assign(status, more, { finished_at: isoTime(at), duration_ms: at - startedAt });
    };
    const finished = inTurn(project, () =>
      perform(project, { entityType: null, rulesOf: null }, status),
    ).then(
      (report) => finish({ ...report, status: 'completed' }),
      (error) => {
        if (!stopping.signal.aborted) log.error(`validation failed: ${messageOf(error)}`);
        finish({ status: 'failed', error: 'the run could not be finished; the log has the reason' });
      },
    );
    const run = { status, finished };
    runs.set(project, run);
    return run;
  }

  return {
    /** Starts a run over all entities, or joins the running one; resolves when it ends or, at the latest, after 20 s. */
    async all(project: Project, { wait }: { wait: boolean }): Promise<ValidationStatus> {
      if (stopping.signal.aborted) throw unavailable('The service is stopping');
      const latest = runs.get(project);
      const run = latest?.status.status === 'running' ? latest : start(project);
      if (wait) {
        let timer: NodeJS.Timeout | undefined;
        const patience = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, PATIENCE_MS);
        });
        await Promise.race([run.finished, patience]);
        clearTimeout(timer);
      }
      return { ...run.status };
    },

    status: (project: Project): ValidationStatus => ({ ...(runs.get(project)?.status ?? NOTHING) }),

    /** Checks a type, or all entities against a file for all types; one entity alone where `entityId` names it. */
    async type(project: Project, name: string, entityId: string | undefined): Promise<ValidationReport> {
      const set = await registry.of(project);
      const { key, path } = requireKey(set, name);
      const entityType = ruleTypeOf(key);
      if (entityType !== null) requireType(set, entityType);
      const scope = { entityType, rulesOf: entityType === null ? path : null };
      if (entityId === undefined) {
        return inTurn(project, () => perform(project, scope, { done: 0, total: 0 }));
      }
      if (entityType === null) {
        throw notFound(`'${name}' is no type, so it has no entity '${entityId}': name the type in the path`, {
          code: 'unknown_type',
        });
      }
      const stored = await storedEntity(project, entityType, entityId);
      if (stored === undefined) {
        throw notFound(`There is no ${entityType} '${entityId}'`, { code: 'no_such_entity' });
      }
      const template = requireType(set, entityType);
      const { exists } = await knownIds(project, set.types.keys());
      const unplaced = findingsOf(template, JSON.parse(stored.json) as StoredReply, stored.path, exists);
      const kept = unplaced.map((finding) => ({ ...finding, rowId: stored.row_id }));
      const findings = (await withLines(project, kept)).sort(byGravity);
      const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length;
      const counts = { error: count('error'), warning: count('warning'), info: count('info') };
      return {
        entity_type: entityType,
        checked: 1,
        valid: counts.error === 0 ? 1 : 0,
        findings,
        findings_total: findings.length,
        counts,
        by_rule: countsByRule(unplaced),
        truncated: false,
        advisory: adviceOf([template]),
      };
    },

    isRunning: running.isBusy,

    /** Lets go of a project and what its last run found. */
    async forget(project: Project): Promise<void> {
      turns.delete(project);
      runs.delete(project);
    },

    async stop(): Promise<void> {
      stopping.abort();
      await running.idle();
    },
  };
}

export type Validation = ReturnType<typeof createValidation>;
