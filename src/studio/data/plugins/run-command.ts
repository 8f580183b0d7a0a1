import type { EntityAddress } from '../entity.ts';
import { createStore } from '../store.ts';

export interface RunningCommand {
  project: string;
  plugin: string;
  command: string;
  /** The one on whose page the command was called. */
  entity: EntityAddress | null;
}

/** The command of a plugin that is open above the page. */
export const runningCommand = createStore<RunningCommand | null>(null);
