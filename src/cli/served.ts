import type { FastifyInstance } from 'fastify';
import type { Config, Surface } from '../kit/config/index.ts';
import type { Log } from '../kit/log.ts';
import type { MigrationReport } from '../platform/database/database.ts';

export interface ServeOptions {
  surface: Surface;
  /** Create missing settings in the data folder. */
  provision: boolean;
  /** Stop at the end of standard input too. */
  attached: boolean;
  /** Print one JSON document and nothing else. */
  json: boolean;
}

export interface Served {
  app: FastifyInstance;
  migrated: MigrationReport;
  close(): Promise<void>;
  /** One line for each thing that the start created, if any. */
  made?: readonly string[];
  /** The next steps for a user of `npm start`. */
  hints(address: string): string[] | Promise<string[]>;
  /** Its folders, for `--json`. */
  folders: Readonly<Record<string, string>>;
}

export type StartSurface = (
  config: Config,
  log: Log & { flush(): Promise<void> },
  options: ServeOptions,
) => Promise<Served>;
