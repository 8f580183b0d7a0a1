import { GuestError } from '../../../platform/guests/guests.ts';
import type { Project } from '../../records/index.ts';
import type { GuestPlugin } from './running-plugins.ts';

/** `result` is null for a call that failed by the guest's own doing. Null: not now, and what it was about is still to be done. */
export type Attempt<Result> = { result: Result | null; failure: GuestError | null } | null;

/** After so many failures of the host in one call, it is left out: the guest may ask for something that the host can never do. */
const MOST_HOST_FAILURES = 3;

export interface Asked {
  signal: AbortSignal;
  /** Tells this call from all others of the plugin. */
  about: string;
}

interface Version {
  folder: { id: string };
  hash: string;
}

/** Calls of guests that nobody waits for: each only if this version of the plugin still runs, with the grants that it has now. */
export function createAttempts<Owner extends object, Plugin extends Version>(guestPlugins: {
  of(owner: Owner): Promise<readonly Plugin[]>;
}) {
  const hostFailures = new WeakMap<Owner, Map<string, number>>();

  function isGivenUp(project: Owner, about: string): boolean {
    const counts = hostFailures.get(project) ?? new Map<string, number>();
    hostFailures.set(project, counts);
    const count = (counts.get(about) ?? 0) + 1;
    if (count >= MOST_HOST_FAILURES) return counts.delete(about);
    counts.set(about, count);
    return false;
  }

  return async function attempt<Result>(
    project: Owner,
    { folder, hash }: Version,
    { signal, about }: Asked,
    call: (present: Plugin) => Promise<Result>,
  ): Promise<Attempt<Result>> {
    const running = await guestPlugins.of(project);
    const present = running.find((each) => each.folder.id === folder.id && each.hash === hash);
    if (signal.aborted || present === undefined) return null;
    const key = `${folder.id} ${about}`;
    try {
      const result = await call(present);
      hostFailures.get(project)?.delete(key);
      return { result, failure: null };
    } catch (error) {
      if (!(error instanceof GuestError)) throw error;
      if (!error.isPassing) return { result: null, failure: error };
      return error.code === 'host' && isGivenUp(project, key) ? { result: null, failure: error } : null;
    }
  };
}

export type Attempts = ReturnType<typeof createAttempts<Project, GuestPlugin>>;
