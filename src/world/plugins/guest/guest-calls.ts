import { type Clock, isoTime } from '../../../kit/clock.ts';
import { messageOf } from '../../../kit/errors.ts';
import type {
  GuestCallName,
  GuestCalls,
  GuestEntityChange,
  GuestRouteRequest,
} from '../../../platform/guests/calls.ts';
import {
  type Guest,
  GuestError,
  type GuestExport,
  type GuestLane,
  type Guests,
} from '../../../platform/guests/guests.ts';
import { keyOfProject, type Project } from '../../records/index.ts';
import { pluginEvent } from '../plugins.events.ts';
import type { Plugins } from '../plugins.service.ts';
import type { CallCounts } from './call-counts.service.ts';
import { createCallLines } from './call-lines.ts';
import { LARGEST_COMPONENT } from './check-guest.ts';
import { createGuestHost, type GuestAuthor, type HostOptions } from './guest-host.ts';
import { failedLine, type PluginLog } from './plugin-log.service.ts';
import type { GuestPlugin, GuestPlugins } from './running-plugins.ts';

export interface GuestCallsOptions extends HostOptions {
  guests: Guests;
  plugins: Plugins;
  guestPlugins: GuestPlugins;
  log: PluginLog;
  counts: CallCounts;
  clock: Clock;
  /** Goes on with work that no caller waits for. */
  inBackground(project: Project, work: Promise<void>): void;
}

export interface CallOptions {
  deadlineMs: number;
  author: GuestAuthor;
  /** `other` by default. */
  lane?: GuestLane;
}

/** The effect of a result, for the plugin's log; null for none. */
type EffectOf<Name extends GuestCallName> = (result: GuestCalls[Name]['result']) => string | null;

/** This number of breaks of a limit within this time disables a plugin. */
const MOST_BREAKS = 3;
const BREAKS_WITHIN_MS = 10 * 60_000;

/** Calls the guests of plugins, keeps what they say, and disables those that break limits again and again. */
export function createGuestCalls({
  guests,
  plugins,
  guestPlugins,
  log,
  counts,
  clock,
  inBackground,
  ...hostOptions
}: GuestCallsOptions) {
  const keyOf = (project: Project, pluginId: string): string => `${keyOfProject(project)}\n${pluginId}`;

  const open = (project: Project, { folder, path, hash }: GuestPlugin, lane: GuestLane = 'other'): Guest =>
    guests.open(
      keyOf(project, folder.id),
      { hash, read: () => project.files.read(path, LARGEST_COMPONENT) },
      { owner: project.tenantId, lane },
    );

  /** False for a component that is refused too; its log says why. Rejects with a `GuestError` if that cannot be told now. */
  async function offers(project: Project, plugin: GuestPlugin, wanted: GuestExport): Promise<boolean> {
    try {
      return (await open(project, plugin).shape()).exports.includes(wanted);
    } catch (error) {
      if (error instanceof GuestError && error.isPassing) throw error;
      await log.add(project, plugin.folder.id, [failedLine(messageOf(error))]);
      return false;
    }
  }

  /** Also false as long as the component is not translated, so that nobody waits for that with an entity's lock. */
  async function offersNow(project: Project, plugin: GuestPlugin, wanted: GuestExport): Promise<boolean> {
    return (await open(project, plugin).readyShape())?.exports.includes(wanted) ?? false;
  }

  async function noteBreak(project: Project, pluginId: string): Promise<void> {
    const now = clock.now();
    const isDisabled = await plugins.noteBreak(project, pluginId, (breaks) => {
      const recent = [...breaks.filter((at) => at > now - BREAKS_WITHIN_MS), now];
      return recent.length >= MOST_BREAKS ? null : recent;
    });
    if (!isDisabled) return;
    const message = `It broke limits ${MOST_BREAKS} times within ${BREAKS_WITHIN_MS / 60_000} minutes, and was disabled`;
    await log.add(project, pluginId, [failedLine(message)]);
  }

  /** With what it may do now: it may have been disabled, replaced or removed since somebody looked it up. */
  async function stillRunning(project: Project, { folder, hash }: GuestPlugin): Promise<GuestPlugin> {
    const running = await guestPlugins.of(project);
    const found = running.find((each) => each.folder.id === folder.id && each.hash === hash);
    if (found === undefined) throw new GuestError('ended', 'it was disabled, replaced or removed');
    return found;
  }

  /** Rejects with a `GuestError`. Failures of a plugin that still runs are in its log by then. */
  async function call<Name extends GuestCallName>(
    project: Project,
    asked: GuestPlugin,
    name: Name,
    args: GuestCalls[Name]['args'],
    { deadlineMs, author, lane, effectOf }: CallOptions & { effectOf?: EffectOf<Name> },
  ): Promise<GuestCalls[Name]['result']> {
    const plugin = await stillRunning(project, asked);
    const ended = new AbortController();
    const pluginId = plugin.folder.id;
    const about = aboutOf(args);
    const lines = createCallLines((line) =>
      inBackground(project, log.add(project, pluginId, [line], { call: name, about, took_ms: null })),
    );
    const { host, emitted } = createGuestHost(hostOptions, {
      project,
      plugin,
      author,
      lines,
      signal: ended.signal,
    });
    const begun = performance.now();
    let failure: unknown;
    try {
      const result = await open(project, plugin, lane).call(name, args, { deadlineMs, host });
      for (const event of emitted) {
        const timestamp = isoTime(clock.now());
        project.bus.publish(project, pluginEvent, { plugin_id: pluginId, ...event, timestamp });
        lines.did(`It emitted the event ${event.name}`);
      }
      const effect = effectOf?.(result) ?? null;
      if (effect !== null) lines.did(effect);
      return result;
    } catch (error) {
      lines.add(failedLine(messageOf(error)));
      failure = error;
      throw error;
    } finally {
      ended.abort();
      const tookMs = performance.now() - begun;
      if (!(failure instanceof GuestError && failure.isPassing))
        counts.note(project, { pluginId, call: name, tookMs, hasFailed: failure !== undefined });
      const took_ms = Math.round(tookMs);
      await log.add(project, pluginId, lines.close(), { call: name, about, took_ms });
      // The caller may hold the lock of an entity, and this waits for the one of the project's plugins.
      if (failure instanceof GuestError && failure.isBreak)
        inBackground(project, noteBreak(project, pluginId));
    }
  }

  return {
    call,
    offers,
    offersNow,
    end: (project: Project, pluginId: string) => guests.end(keyOf(project, pluginId)),
  };
}

export type CallGuests = ReturnType<typeof createGuestCalls>;

/** Without the query of a request, which may have what its sender would not show. */
function aboutOf([given]: readonly (GuestEntityChange | GuestRouteRequest | string)[]): string | null {
  if (given === undefined || typeof given === 'string') return null;
  return 'method' in given
    ? `${given.method} ${given.path.replace(/\?.*$/s, '')}`
    : `${given.entityType}/${given.id}`;
}
