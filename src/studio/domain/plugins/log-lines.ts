import type { PluginLogLine } from '../../../world/plugins/guest/guest.contract.ts';
import type { PluginUsageReply } from '../../../world/plugins/usage.contract.ts';

export type LogLine = PluginLogLine;
export type CallCount = PluginUsageReply['calls'][number];

/** What of a log is shown. */
export const LOG_VIEWS = ['all', 'did', 'said', 'warnings', 'failed'] as const;
export type LogView = (typeof LOG_VIEWS)[number];

export interface LogFilter {
  kind?: LogLine['kind'];
  level?: LogLine['level'];
}

const FILTERS: Readonly<Record<LogView, LogFilter>> = {
  all: {},
  did: { kind: 'did' },
  said: { kind: 'said' },
  warnings: { level: 'warn' },
  failed: { kind: 'failed' },
};

export const filterOf = (view: LogView): LogFilter => FILTERS[view];

/** In the query of the page's address; all where there is none, or an unknown one. */
export function logViewIn(search: string): LogView {
  const named = new URLSearchParams(search).get('log');
  return LOG_VIEWS.find((view) => view === named) ?? 'all';
}

export const logSearchOf = (view: LogView): string => (view === 'all' ? '' : `?log=${view}`);

/** The lines of one call, in the order in which they came. */
export type LoggedCall = readonly [LogLine, ...LogLine[]];

/** Calls as the log has them, the newest first. A line of no call stands by itself. */
export function callsIn(lines: readonly LogLine[]): LoggedCall[] {
  const calls: [LogLine, ...LogLine[]][] = [];
  for (const line of lines) {
    const newer = calls.at(-1);
    if (newer && isSameCall(newer[0], line)) newer.unshift(line);
    else calls.push([line]);
  }
  return calls;
}

const isSameCall = (one: LogLine, other: LogLine): boolean =>
  one.call !== null &&
  one.call === other.call &&
  one.about === other.about &&
  one.at === other.at &&
  one.took_ms === other.took_ms;

/** The entity that a call was about; null for a request, and for none. */
export function entityOf({
  call,
  about,
}: Pick<LogLine, 'call' | 'about'>): { type: string; id: string } | null {
  const [, type, id] = (call !== 'handle-request' && about !== null && /^([^/]+)\/(.+)$/s.exec(about)) || [];
  return type === undefined || id === undefined ? null : { type, id };
}

export interface CallTotals {
  calls: number;
  failed: number;
  lastAt: string | null;
  lastFailedAt: string | null;
}

export const totalsOf = (counts: readonly CallCount[]): CallTotals => ({
  calls: counts.reduce((sum, { calls }) => sum + calls, 0),
  failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  lastAt: latest(counts.map(({ last_at }) => last_at)),
  lastFailedAt: latest(counts.map(({ last_failed_at }) => last_failed_at)),
});

const latest = (times: readonly (string | null)[]): string | null =>
  times.reduce((one, other) => ((one ?? '') < (other ?? '') ? other : one), null);
