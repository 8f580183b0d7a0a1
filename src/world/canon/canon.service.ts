import { setTimeout as pause } from 'node:timers/promises';
import type { FindingKind } from '../../content/canon/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { type Project, pages } from '../records/index.ts';
import type { TemplateRegistry } from '../templates/index.ts';
import { type PlacedFinding, placed } from './canon.lines.ts';
import { type CanonRun, type CanonSource, checkCanon, type FoundFinding } from './canon.run.ts';
import { canonState, countEntities, headsAt, pageOfCanon } from './canon.store.ts';
import { countsOf, sortOut } from './canon.tally.ts';
import { readSettingsFile, type SettingsFile } from './canon-settings.service.ts';

const PAGE = 100;
const MOST_PROBLEMS = 100;
/** How long a request waits for a check before it is told that it runs. */
const PATIENCE_MS = 20_000;

export interface FindingsQuery {
  kind?: FindingKind | undefined;
  /** `type/id`: findings with that entity on either side. */
  entity?: string | undefined;
  /** Those that were accepted instead of those that were not. */
  accepted: boolean;
  limit: number;
  offset: number;
}

interface LastRun extends CanonRun {
  started_at: string;
  finished_at: string;
  duration_ms: number;
  /** What it looked at: a run is out of date when this has changed. */
  basis: string;
}

interface Running {
  promise: Promise<void>;
  started_at: string;
  done: number;
  total: number;
}

interface Slot {
  running: Running | null;
  last: LastRun | null;
  error: string | null;
}

type ListedFinding = PlacedFinding & { reason: string | null };

/** Runs the canon check of projects in the background and keeps each project's last findings in memory. */
export function createCanon(options: { registry: TemplateRegistry; clock: Clock; log: Log }) {
  const { registry, clock, log } = options;
  const slots = new WeakMap<Project, Slot>();
  const stopping = new AbortController();

  function slotOf(project: Project): Slot {
    const slot = slots.get(project) ?? { running: null, last: null, error: null };
    slots.set(project, slot);
    return slot;
  }

  async function basisOf(project: Project, { settings }: SettingsFile): Promise<string> {
    const state = await canonState(project);
    const { version } = await registry.of(project);
    return JSON.stringify([state, version, settings.calendar]);
  }

  async function run(project: Project, slot: Slot, running: Running): Promise<void> {
    const startedAt = clock.now();
    try {
      const file = await readSettingsFile(project.files);
      const basis = await basisOf(project, file);
      const { types } = await registry.of(project);
      running.total = await countEntities(project);
      const found = await checkCanon(types, file.settings.calendar, pagesOf(project), {
        signal: stopping.signal,
        onProgress: (done) => {
          running.done = done;
        },
      });
      const finishedAt = clock.now();
      slot.last = {
        ...found,
        started_at: running.started_at,
        finished_at: isoTime(finishedAt),
        duration_ms: finishedAt - startedAt,
        basis,
      };
      slot.error = null;
    } catch (error) {
      slot.error = messageOf(error);
      if (!stopping.signal.aborted)
        log.error(`the canon check of ${project.projectId} failed: ${slot.error}`);
    } finally {
      slot.running = null;
    }
  }

  function start(project: Project): Promise<void> {
    const slot = slotOf(project);
    if (slot.running) return slot.running.promise;
    const running = { started_at: isoTime(clock.now()), done: 0, total: 0, promise: Promise.resolve() };
    slot.running = running;
    running.promise = run(project, slot, running);
    return running.promise;
  }

  async function report(project: Project, query: FindingsQuery) {
    const { running, last, error } = slotOf(project);
    const file = await readSettingsFile(project.files);
    const isStale = last !== null && last.basis !== (await basisOf(project, file));
    const sorted = sortOut(last?.findings ?? [], file);
    const listed = sorted[query.accepted ? 'accepted' : 'open'].filter((finding) => isAsked(finding, query));
    const page = listed.slice(query.offset, query.offset + query.limit);
    const withLines = await placed(page, async (paths) => {
      const rows = await headsAt(project, paths);
      return new Map(rows.map(({ path, head }) => [path, head]));
    });
    const findings: ListedFinding[] = withLines.map((finding) => ({
      ...finding,
      reason: sorted.reasons.get(finding.finding_id) ?? null,
    }));
    return {
      status: running ? ('running' as const) : statusOf(last, error),
      progress: running ? { done: running.done, total: running.total } : null,
      error: running ? null : error,
      started_at: running?.started_at ?? last?.started_at ?? null,
      finished_at: last?.finished_at ?? null,
      duration_ms: last?.duration_ms ?? null,
      entities: last?.entities ?? 0,
      stale: isStale,
      calendar: file.settings.calendar.name,
      kinds: countsOf(sorted, file),
      open: sorted.open.length,
      accepted: sorted.accepted.length,
      omitted: last?.omitted ?? 0,
      problems: [...file.problems, ...(last?.problems ?? [])].slice(0, MOST_PROBLEMS),
      findings,
      total: listed.length,
      limit: query.limit,
      offset: query.offset,
    };
  }

  return {
    /** Runs a check, or joins the one that runs, and reports when it is done, or that it goes on. */
    async check(project: Project, { wait, limit }: { wait: boolean; limit: number }) {
      const done = start(project);
      if (wait) await Promise.race([done, pause(PATIENCE_MS, undefined, { ref: false })]);
      return report(project, { accepted: false, limit, offset: 0 });
    },
    /** Findings of the last run. */
    findings: report,
    isRunning: (project: Project): boolean => (slots.get(project)?.running ?? null) !== null,
    /** Ends what runs. */
    async stop(projects: readonly Project[]): Promise<void> {
      stopping.abort();
      await Promise.all(projects.map((project) => slots.get(project)?.running?.promise));
    },
  };
}

export type Canon = ReturnType<typeof createCanon>;

const statusOf = (last: LastRun | null, error: string | null): 'none' | 'done' | 'failed' => {
  if (error !== null) return 'failed';
  return last === null ? 'none' : 'done';
};

const pagesOf = (project: Project): AsyncGenerator<CanonSource[]> =>
  pages(
    0,
    (after, limit) => pageOfCanon(project, after, limit),
    (row) => row.row_id,
    PAGE,
  );

const isAsked = ({ kind, evidence }: FoundFinding, query: FindingsQuery): boolean =>
  (query.kind === undefined || query.kind === kind) &&
  (query.entity === undefined ||
    evidence.some(({ entity_type, entity_id }) => query.entity === `${entity_type}/${entity_id}`));
