import { type Clock, isoTime } from '../../../kit/clock.ts';
import { storable } from '../../../text/storable.ts';
import type { Project } from '../../records/index.ts';
import type { PluginsDb } from '../plugin-states.store.ts';
import { addLines, type LogLine, type LogQuery, pageOfLines, removeLines } from './log.store.ts';

/** Of one plugin in one project. */
const MOST_LINES = 1_000;
const LONGEST_MESSAGE = 4_000;
const LONGEST_ABOUT = 1_000;

export type Line = Pick<LogLine, 'level' | 'kind' | 'message'>;
/** The call that lines belong to. */
export type CallOfLines = Pick<LogLine, 'call' | 'about' | 'took_ms'>;

const NO_CALL: CallOfLines = { call: null, about: null, took_ms: null };

/** The service's word about a failure. */
export const failedLine = (message: string): Line => ({ level: 'error', kind: 'failed', message });

/** The lines of plugins' guests, and those of the service about them: for admins. */
export function createPluginLog({ clock }: { clock: Clock }) {
  return {
    add(
      project: Project,
      pluginId: string,
      lines: readonly Line[],
      { call, about, took_ms }: CallOfLines = NO_CALL,
    ): Promise<void> {
      if (lines.length === 0) return Promise.resolve();
      const at = isoTime(clock.now());
      const of = { call, about: about && storable(about.slice(0, LONGEST_ABOUT)), took_ms };
      const rows = lines.map(({ level, kind, message }) => ({
        ...of,
        at,
        level,
        kind,
        message: storable(message.slice(0, LONGEST_MESSAGE)),
      }));
      return project.database.exclusive(`plugin log of ${project.projectId} ${pluginId}`, () =>
        project.database.write(
          (db: PluginsDb) => addLines(db, project, pluginId, { lines: rows, most: MOST_LINES }),
          { durable: false },
        ),
      );
    },

    page: (project: Project, pluginId: string, query: LogQuery) =>
      project.database.read((db: PluginsDb) => pageOfLines(db, project, pluginId, query)),

    purge: (project: Project, pluginId: string): Promise<void> =>
      project.database.write((db: PluginsDb) => removeLines(db, project, pluginId)),
  };
}

export type PluginLog = ReturnType<typeof createPluginLog>;
