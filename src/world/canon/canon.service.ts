import type { FindingKind } from '../../content/canon/index.ts';
import type { Clock } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { createRuns, type Progress } from '../../kit/runs.ts';
import type { TemplateRegistry } from '../definitions/index.ts';
import { type Project, pages } from '../records/index.ts';
import { placed } from './canon.lines.ts';
import { type CanonRun, type CanonSource, checkCanon, type FoundFinding } from './canon.run.ts';
import { canonState, countEntities, headsAt, pageOfCanon } from './canon.store.ts';
import { countsOf, sortOut } from './canon.tally.ts';
import { readSettingsFile, type SettingsFile } from './canon-settings.service.ts';

const PAGE = 100;
const MOST_PROBLEMS = 100;

export interface FindingsQuery {
  kind?: FindingKind | undefined;
  entity?: string | undefined;
  /** True for accepted findings, false for open ones. */
  accepted: boolean;
  limit: number;
  offset: number;
}

interface Judged extends CanonRun {
  /** The checked state: if it has changed, the run is out of date. */
  basis: string;
}

/** Runs the canon check of projects in the background and keeps each project's last findings in memory. */
export function createCanon(options: { registry: TemplateRegistry; clock: Clock; log: Log }) {
  const { registry, clock, log } = options;
  const runs = createRuns<Project, Judged>({
    clock,
    perform,
    onFailure({ projectId }, error, isStopping) {
      const message = messageOf(error);
      if (!isStopping) log.error(`the canon check of ${projectId} failed: ${message}`);
      return message;
    },
  });

  async function basisOf(project: Project, { settings }: SettingsFile): Promise<string> {
    const state = await canonState(project);
    const { version } = await registry.of(project);
    return JSON.stringify([state, version, settings.calendar]);
  }

  async function perform(project: Project, progress: Progress, signal: AbortSignal): Promise<Judged> {
    const file = await readSettingsFile(project.files);
    const basis = await basisOf(project, file);
    const { types } = await registry.of(project);
    progress.total = await countEntities(project);
    const found = await checkCanon(types, file.settings.calendar, pagesOf(project), {
      signal,
      onProgress: (done) => {
        progress.done = done;
      },
    });
    return { ...found, basis };
  }

  async function report(project: Project, query: FindingsQuery) {
    const latest = runs.latest(project);
    const last = runs.completed(project);
    const isRunning = latest.status === 'running';
    const file = await readSettingsFile(project.files);
    const isStale = last !== undefined && last.report.basis !== (await basisOf(project, file));
    const sorted = sortOut(last?.report.findings ?? [], file);
    const listed = sorted[query.accepted ? 'accepted' : 'open'].filter((finding) => matches(finding, query));
    const page = listed.slice(query.offset, query.offset + query.limit);
    const withLines = await placed(page, async (paths) => {
      const rows = await headsAt(project, paths);
      return new Map(rows.map(({ path, head }) => [path, head]));
    });
    return {
      status: STATUS[latest.status],
      progress: isRunning ? { done: latest.done, total: latest.total } : null,
      error: latest.error,
      started_at: (isRunning ? latest : last)?.started_at ?? null,
      finished_at: last?.finished_at ?? null,
      duration_ms: last?.duration_ms ?? null,
      entities: last?.report.entities ?? 0,
      stale: isStale,
      calendar: file.settings.calendar.name,
      kinds: countsOf(sorted, file),
      open: sorted.open.length,
      accepted: sorted.accepted.length,
      omitted: last?.report.omitted ?? 0,
      problems: [...file.problems, ...(last?.report.problems ?? [])].slice(0, MOST_PROBLEMS),
      findings: withLines.map((finding) => ({
        ...finding,
        reason: sorted.reasons.get(finding.finding_id) ?? null,
      })),
      total: listed.length,
      limit: query.limit,
      offset: query.offset,
    };
  }

  /** How many of the last check's findings are open, and how many are accepted. */
  async function tally(project: Project) {
    const file = await readSettingsFile(project.files);
    const { open, accepted } = sortOut(runs.completed(project)?.report.findings ?? [], file);
    return { open: open.length, accepted: accepted.length };
  }

  return {
    /** Runs a check, or joins the running one, and reports its end, or its progress after the wait. */
    async check(project: Project, { wait, limit }: { wait: boolean; limit: number }) {
      await runs.run(project, { wait });
      return report(project, { accepted: false, limit, offset: 0 });
    },
    findings: report,
    tally,
    isRunning: runs.isBusy,
    stop: runs.stop,
  };
}

export type Canon = ReturnType<typeof createCanon>;

const STATUS = { idle: 'none', running: 'running', completed: 'done', failed: 'failed' } as const;

const pagesOf = (project: Project): AsyncGenerator<CanonSource[]> =>
  pages(
    0,
    (after, limit) => pageOfCanon(project, after, limit),
    (row) => row.row_id,
    PAGE,
  );

const matches = ({ kind, evidence }: FoundFinding, query: FindingsQuery): boolean =>
  (query.kind === undefined || query.kind === kind) &&
  (query.entity === undefined ||
    evidence.some(({ entity_type, entity_id }) => query.entity === `${entity_type}/${entity_id}`));
