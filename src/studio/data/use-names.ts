import { useEffect, useMemo } from 'react';
import type { NamedEntity } from '../domain/named-entity.ts';
import type { NameInText } from '../domain/names-in-text.ts';
import type { NameMatch, NameQuery } from '../domain/names-index.ts';
import { apiOf } from './api.ts';
import { createNames } from './names.ts';
import { useStore } from './store.ts';
import { timers } from './timers.ts';
import { useWorkspace, type Workspace } from './workspace.ts';

/** The names of a world; another object whenever they change. */
export interface Names {
  search(text: string, query: NameQuery): NameMatch[];
  /** Without a type: the one entity of that id over all types. */
  find(type: string | undefined, id: string): NamedEntity | undefined;
  /** Names in a text, as whole words. */
  findIn(text: string): NameInText[];
  /** The number of entities by type. */
  counts: ReadonlyMap<string, number>;
}

type Source = ReturnType<typeof createNames>;

const NONE: Names = { search: () => [], find: () => undefined, findIn: () => [], counts: new Map() };
const NO_SOURCE = { subscribe: () => () => undefined, getSnapshot: () => null };

/** Names of one world alone are held: 100,000 of them take much room. */
let held: { account: string; project: string; source: Source } | undefined;

export function useNames(project: string): Names {
  const workspace = useWorkspace();
  const source = workspace && namesOf(workspace, project);
  const { subscribe, getSnapshot } = source ?? NO_SOURCE;
  const status = useStore({ get: getSnapshot, subscribe });
  return useMemo(
    () =>
      source && status?.isReady
        ? { search: source.search, find: source.find, findIn: source.findIn, counts: source.counts() }
        : NONE,
    [source, status],
  );
}

export const useNameCounts = (project: string): ReadonlyMap<string, number> => useNames(project).counts;

/** Remembers that an entity was opened: it comes first where names fit alike. */
export function useOpened(project: string, type: string, id: string): void {
  const workspace = useWorkspace();
  useEffect(() => {
    if (workspace) namesOf(workspace, project).touch(type, id);
  }, [workspace, project, type, id]);
}

/** Reads what changed in the names of a project that is open. */
export const updateNames = (project: string): void => {
  if (held?.project === project) void held.source.update();
};

function namesOf({ account, store }: Workspace, project: string): Source {
  if (held?.account === account && held.project === project) return held.source;
  held?.source.stop();
  const source = createNames({
    store,
    account,
    project,
    timers,
    read: (cursor) => apiOf(project).listNames({ query: cursor === undefined ? {} : { cursor } }),
  });
  held = { account, project, source };
  void source.start();
  return source;
}
