import { eachAtOnce } from '../../../kit/each-at-once.ts';
import { GuestError } from '../../../platform/guests/guests.ts';
import type { Entities } from '../../entities/index.ts';
import { lastSequence, type Project, type RecordsDb } from '../../records/index.ts';
import { createAttempts } from './attempts.ts';
import { hasFormerCursors, removeCursors, removeFormerCursors } from './cursors.store.ts';
import { type FollowDb, removeFindings, removeFormerFindings } from './findings.store.ts';
import { createCheckFollower } from './follow-checks.ts';
import { createEventFollower } from './follow-events.ts';
import type { CallGuests } from './guest-calls.ts';
import { hasNews } from './news.ts';
import type { GuestPlugin, GuestPlugins } from './running-plugins.ts';
import type { SliceEnd } from './slices.ts';

export interface FollowOptions {
  guestPlugins: GuestPlugins;
  calls: CallGuests;
  entities: Entities;
  /** One plugin's changes could not be followed; the others' were. */
  failed(error: unknown): void;
}

type Slice = (project: Project, plugin: GuestPlugin, signal: AbortSignal) => Promise<SliceEnd>;

/** Of one project: as many threads as a tenant has. */
const AT_ONCE = 2;

const lockOf = (project: Project, pluginId: string): string =>
  `plugin guest of ${project.projectId} ${pluginId}`;

/**
 * Tells guests what happened, whichever way it came: saves, files, imports, other installations. Each plugin goes on from cursors of its
 * own, so that a crash repeats a call and loses none. What it finds wrong is stored, and never refuses a file.
 */
export function createChangeFollower({ guestPlugins, calls, entities, failed }: FollowOptions) {
  const attempt = createAttempts(guestPlugins);
  const followEvents = createEventFollower({ attempt, calls, entities });
  const followChecks = createCheckFollower({ attempt, calls });
  /** The number of the last change that each plugin has heard of, by its component. */
  const heard = new WeakMap<Project, Map<string, number>>();
  const keyOf = ({ folder, hash }: GuestPlugin): string => `${folder.id} ${hash}`;

  const lastChange = (project: Project): Promise<number> =>
    project.database.read((db: RecordsDb) => lastSequence(db, project));

  function noteHeard(project: Project, plugin: GuestPlugin, seq: number): void {
    const ofProject = heard.get(project) ?? new Map<string, number>();
    heard.set(project, ofProject.set(keyOf(plugin), seq));
  }

  /** Null if it cannot be told now. */
  async function hasHooks(project: Project, plugin: GuestPlugin): Promise<boolean | null> {
    return calls.offers(project, plugin, 'hooks').catch((error: unknown) => {
      if (error instanceof GuestError) return null;
      throw error;
    });
  }

  async function tidy(project: Project, plugin: GuestPlugin): Promise<SliceEnd> {
    if (!(await project.database.read((db: RecordsDb) => hasFormerCursors(db, project, plugin))))
      return 'done';
    const component = { pluginId: plugin.folder.id, hash: plugin.hash };
    await project.database.write(
      async (db: FollowDb) => {
        await removeFormerFindings(db, project, component);
        await removeFormerCursors(db, project, plugin);
      },
      { durable: false },
    );
    return 'done';
  }

  /** One process at a time. A slice of a plugin that was forgotten meanwhile finds that out before it calls it. */
  const locked = (
    project: Project,
    plugin: GuestPlugin,
    signal: AbortSignal,
    slice: Slice,
  ): Promise<SliceEnd> =>
    project.database
      .ifFree(
        lockOf(project, plugin.folder.id),
        () => slice(project, plugin, signal),
        async (): Promise<SliceEnd> => 'later',
      )
      .catch((error: unknown): SliceEnd => {
        failed(error);
        return 'later';
      });

  async function hasHeardAll(project: Project, plugin: GuestPlugin, last: number): Promise<boolean> {
    const seq = heard.get(project)?.get(keyOf(plugin));
    if (seq === undefined) return false;
    return seq === last || !(await hasNews(project, seq));
  }

  /** Those with something new, and with hooks to hear of it. Puts those of which that cannot be told now among the stuck ones. */
  async function toTell(project: Project, last: number, stuck: Set<string>): Promise<GuestPlugin[]> {
    const found: GuestPlugin[] = [];
    for (const plugin of await guestPlugins.of(project)) {
      if (stuck.has(keyOf(plugin))) continue;
      if (await hasHeardAll(project, plugin, last)) {
        noteHeard(project, plugin, last);
        continue;
      }
      const answer = await hasHooks(project, plugin);
      if (answer) found.push(plugin);
      else if (answer === null) stuck.add(keyOf(plugin));
      else {
        await tidy(project, plugin);
        noteHeard(project, plugin, last);
      }
    }
    return found;
  }

  const checkAndTidy: Slice = async (project, plugin, signal) => {
    const end = await followChecks(project, plugin, signal);
    return end === 'done' ? tidy(project, plugin) : end;
  };

  /** Each plugin has one turn; resolves to how it ended for each. */
  async function turn(project: Project, plugins: readonly GuestPlugin[], signal: AbortSignal, slice: Slice) {
    const ends = new Map<GuestPlugin, SliceEnd>();
    await eachAtOnce(plugins, AT_ONCE, async (plugin) => {
      ends.set(plugin, await locked(project, plugin, signal, slice));
    });
    return ends;
  }

  return {
    /**
     * Until nothing is left to be told; false if something is, for later. Plugins have turns: first all hear what was made and
     * deleted, then each checks for a while. A plugin or change that comes meanwhile is part of the next turn.
     */
    async follow(project: Project, signal: AbortSignal): Promise<boolean> {
      const stuck = new Set<string>();
      while (!signal.aborted) {
        const last = await lastChange(project);
        const plugins = await toTell(project, last, stuck);
        if (plugins.length === 0) return stuck.size === 0;
        const told = await turn(project, plugins, signal, followEvents);
        const able = plugins.filter((plugin) => told.get(plugin) !== 'later');
        const checked = await turn(project, able, signal, checkAndTidy);
        for (const plugin of plugins) {
          const ends = [told.get(plugin), checked.get(plugin)];
          if (ends.includes('later')) stuck.add(keyOf(plugin));
          else if (!ends.includes('more')) noteHeard(project, plugin, last);
        }
      }
      return false;
    },

    /** Another process changed what plugins are to hear. */
    lookAgain: (project: Project): void => void heard.delete(project),

    /** A plugin that does not run any more begins anew if it runs again. Waits for a call that it is in. */
    forget: (project: Project, pluginId: string): Promise<void> =>
      project.database.exclusive(lockOf(project, pluginId), async () => {
        heard.delete(project);
        await project.database.write(async (db: FollowDb) => {
          await removeCursors(db, project, pluginId);
          await removeFindings(db, project, pluginId);
        });
      }),
  };
}

export type ChangeFollower = ReturnType<typeof createChangeFollower>;
