import type { FastifyInstance } from 'fastify';
import type { Config } from '../kit/config/index.ts';
import type { Log } from '../kit/log.ts';
import type { MigrationReport } from '../platform/database/database.ts';
import type { ServedSurface } from './served-surfaces.ts';

export interface ServeOptions {
  surface: ServedSurface;
  /** Make what is unset in the data folder. */
  provision: boolean;
  /** Stop when standard input ends too. */
  attached: boolean;
  /** Print one JSON document and nothing else. */
  json: boolean;
}

/** A surface that takes requests once it listens. */
export interface Served {
  app: FastifyInstance;
  migrated: MigrationReport;
  close(): Promise<void>;
  /** What the start made, one line each. */
  made: readonly string[];
  /** What to do next, for whoever started it with `npm start`. */
  hints(address: string): string[] | Promise<string[]>;
  /** Its folders, for `--json`. */
  folders: Readonly<Record<string, string>>;
}

export type StartSurface = (
  config: Config,
  log: Log & { flush(): Promise<void> },
  options: ServeOptions,
) => Promise<Served>;
