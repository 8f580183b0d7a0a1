import {
  contradictionFinding,
  type Finding,
  fileFinding,
  pluginFinding,
  referenceFinding,
  ruleFinding,
} from '../../domain/findings.ts';
import { apiOf } from '../api.ts';

const PAGE = 500;
const BROKEN_PAGE = 200;
/** Of each source; whoever has more has to begin somewhere. */
const MOST = 2_000;

export interface Progress {
  done: number;
  total: number;
}

export interface Source {
  findings: readonly Finding[];
  /** The number of further findings. */
  omitted: number;
}

export interface CheckedSource extends Source {
  /** When the check ended; null while none has. */
  at: string | null;
  entities: number;
  isRunning: boolean;
  progress: Progress | null;
  /** The world has changed since, or was never looked at. */
  isOld: boolean;
}

/** The contradictions of the last check, as many as are shown, and the number of accepted ones. */
export async function loadContradictions(
  project: string,
  isAccepted: boolean,
  signal: AbortSignal,
): Promise<CheckedSource & { accepted: number }> {
  const ask = (offset: number) =>
    apiOf(project).canonFindings({
      query: { accepted: isAccepted ? 'true' : 'false', limit: PAGE, offset },
      signal,
    });
  const first = await ask(0);
  const found = [...first.findings];
  let last = first;
  while (last.findings.length > 0 && found.length < Math.min(first.total, MOST)) {
    last = await ask(found.length);
    found.push(...last.findings);
  }
  return {
    findings: found.map(contradictionFinding),
    omitted: first.omitted + Math.max(first.total - found.length, 0),
    at: first.finished_at,
    entities: first.entities,
    isRunning: first.status === 'running',
    progress: first.progress,
    isOld: first.status === 'none' || first.stale,
    accepted: first.accepted,
  };
}

export async function loadRuleFindings(project: string, signal: AbortSignal): Promise<CheckedSource> {
  const run = await apiOf(project).validationStatus({ signal });
  return {
    findings: run.findings.map(ruleFinding),
    omitted: run.findings_total - run.findings.length,
    at: run.finished_at,
    entities: run.checked,
    isRunning: run.status === 'running',
    progress: run.status === 'running' ? { done: run.done, total: run.total } : null,
    isOld: run.status === 'idle',
  };
}

export async function loadBrokenReferences(project: string, signal: AbortSignal): Promise<Source> {
  const findings: Finding[] = [];
  let cursor: string | null = null;
  do {
    const query = { limit: BROKEN_PAGE, ...(cursor !== null && { cursor }) };
    const page = await apiOf(project).listBrokenReferences({ query, signal });
    findings.push(...page.references.map(referenceFinding));
    cursor = page.next_cursor;
  } while (cursor !== null && findings.length < MOST);
  return { findings, omitted: cursor === null ? 0 : 1 };
}

export async function loadPluginFindings(project: string, signal: AbortSignal): Promise<Source> {
  const { findings, total } = await apiOf(project).listPluginFindings({ query: { limit: PAGE }, signal });
  return { findings: findings.map(pluginFinding), omitted: total - findings.length };
}

export async function loadUnreadableFiles(project: string, signal: AbortSignal): Promise<Source> {
  const { invalid, invalid_total } = await apiOf(project).syncStatus({ signal });
  return { findings: invalid.map(fileFinding), omitted: invalid_total - invalid.length };
}
