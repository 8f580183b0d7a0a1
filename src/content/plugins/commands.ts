import { byId, collect, type Source } from './collect.ts';
import type { Part } from './json-part.ts';
import { MANIFEST_LIMITS } from './limits.ts';
import { idIn, titleIn, urlOf } from './parts.ts';
import type { Report } from './report.ts';
import { iconIn, pathOf } from './texts.ts';
import type { PluginCommand } from './types.ts';

/** Without a url, the command is told to the plugin's guest or open panels. */
export const readCommands = (report: Report, sources: readonly Source[]): PluginCommand[] =>
  collect(report, sources, {
    noun: 'command',
    most: MANIFEST_LIMITS.commands,
    read: (item) => readCommand(report, item),
    keysOf: byId,
  });

function readCommand(report: Report, item: Part): PluginCommand | null {
  const id = idIn(report, item, 'command');
  if (id === null) return null;
  return {
    id,
    title: titleIn(report, item, id),
    icon: iconIn(report, item),
    url: pathOf(report, urlOf(item), `the url of the command "${id}"`),
  };
}
