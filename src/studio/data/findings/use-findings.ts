import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { type Finding, withoutRepeats } from '../../domain/findings.ts';
import { apiOf } from '../api.ts';
import { cache, keys } from '../cache.ts';
import { useHasGuests } from '../plugins/plugins.ts';
import {
  type CheckedSource,
  loadBrokenReferences,
  loadContradictions,
  loadPluginFindings,
  loadRuleFindings,
  loadUnreadableFiles,
  type Progress,
} from './load-findings.ts';

const LOOK_AGAIN_MS = 700;

export interface Findings {
  /** Undefined until a source has found something, or all have answered. */
  findings: readonly Finding[] | undefined;
  error: Error | null;
  /** The number of accepted contradictions. */
  accepted: number;
  omitted: number;
  /** The number of entities in the last check, and its time. */
  checked: { entities: number; at: string } | null;
  isChecking: boolean;
  progress: Progress | null;
  /** The world has changed since, or was never looked at. */
  isOld: boolean;
}

/** Everything that is wrong in a world, or the contradictions in it that somebody accepted. */
export function useFindings(project: string, isAccepted: boolean): Findings {
  const contradictions = useQuery({
    queryKey: [...keys.findings(project), 'contradictions', isAccepted],
    queryFn: ({ signal }) => loadContradictions(project, isAccepted, signal),
    refetchInterval: whileRunning,
  });
  const rules = useQuery({
    queryKey: [...keys.findings(project), 'rules'],
    queryFn: ({ signal }) => loadRuleFindings(project, signal),
    refetchInterval: whileRunning,
  });
  const broken = useQuery({
    queryKey: [...keys.broken(project), 'all'],
    queryFn: ({ signal }) => loadBrokenReferences(project, signal),
  });
  const files = useQuery({
    queryKey: [...keys.findings(project), 'files'],
    queryFn: ({ signal }) => loadUnreadableFiles(project, signal),
  });
  const hasGuests = useHasGuests(project);
  const plugins = useQuery({
    queryKey: [...keys.findings(project), 'plugins'],
    enabled: hasGuests,
    queryFn: ({ signal }) => loadPluginFindings(project, signal),
  });
  const data = useMemo(() => {
    const asked = isAccepted
      ? [contradictions.data]
      : [rules.data, contradictions.data, broken.data, files.data, ...(hasGuests ? [plugins.data] : [])];
    const answered = asked.filter((source) => source !== undefined);
    const isKnown = answered.length === asked.length || answered.some(({ findings }) => findings.length > 0);
    return isKnown ? answered : undefined;
  }, [contradictions.data, rules.data, broken.data, files.data, plugins.data, hasGuests, isAccepted]);
  const findings = useMemo(() => data && withoutRepeats(data.flatMap((source) => source.findings)), [data]);
  const isChecking = [contradictions.data, rules.data].some((source) => source?.isRunning);
  useMarkAtEnd(project, isChecking);
  return {
    findings,
    error: [contradictions, rules, broken, files, plugins].find(({ error }) => error !== null)?.error ?? null,
    accepted: contradictions.data?.accepted ?? 0,
    omitted: (data ?? []).reduce((sum, { omitted }) => sum + omitted, 0),
    checked: checkedOf(contradictions.data),
    isChecking,
    isOld: [contradictions.data, rules.data].some((source) => source?.isOld),
    progress: sumOf([contradictions.data?.progress, rules.data?.progress]),
  };
}

/** Counts elsewhere follow a check that ended. */
function useMarkAtEnd(project: string, isChecking: boolean): void {
  const wasChecking = useRef(false);
  useEffect(() => {
    if (wasChecking.current && !isChecking) void markFindings(project);
    wasChecking.current = isChecking;
  }, [project, isChecking]);
}

const whileRunning = (query: { state: { data?: CheckedSource | undefined } }): number | false =>
  query.state.data?.isRunning ? LOOK_AGAIN_MS : false;

const checkedOf = (source: CheckedSource | undefined): Findings['checked'] =>
  source && source.at !== null ? { entities: source.entities, at: source.at } : null;

function sumOf(all: readonly (Progress | null | undefined)[]): Progress | null {
  const known = all.filter((one) => one !== null && one !== undefined);
  if (known.length === 0) return null;
  return known.reduce((sum, { done, total }) => ({ done: sum.done + done, total: sum.total + total }), {
    done: 0,
    total: 0,
  });
}

/** Looks through the whole world again; `useFindings` follows it. */
export function useCheck(project: string) {
  return useMutation({
    mutationFn: () =>
      Promise.all([
        apiOf(project).checkCanon({ body: { wait: false, limit: 1 } }),
        apiOf(project).validateAll({ body: { wait: false } }),
      ]),
    onSettled: () => markFindings(project),
  });
}

/** A world that nobody has looked through since the service started, or since it changed, is looked through at once. */
export function useCheckOfOld({ isOld, isChecking }: Findings, check: () => void): void {
  const isDue = isOld && !isChecking;
  const hasAsked = useRef(false);
  useEffect(() => {
    if (!isDue || hasAsked.current) return;
    hasAsked.current = true;
    check();
  }, [isDue, check]);
}

/** Marks all findings of a world as possibly out of date. */
export const markFindings = (project: string): Promise<unknown> =>
  Promise.all([
    cache.invalidateQueries({ queryKey: keys.findings(project) }),
    cache.invalidateQueries({ queryKey: keys.broken(project) }),
  ]);
