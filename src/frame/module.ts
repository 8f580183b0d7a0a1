import type { Route } from '../kit/route.ts';
import type { Migration } from '../platform/database/migration.ts';
import type { WorkerOptions } from '../platform/jobs/worker.ts';

/** A queue whose jobs the module works on, in a core or in a worker process. */
export type JobQueue = Omit<WorkerOptions, 'jobs'>;

export type Tags = Readonly<Record<string, string>>;

export interface Module<Service = unknown> {
  service?: Service;
  routes?: readonly Route[];
  jobs?: readonly JobQueue[];
  /** Runs after migrations, before requests are served. */
  start?(): Promise<void>;
  /** Runs once requests have stopped, in the reverse order of start. */
  stop?(): Promise<void>;
}

/** A capability declared as data: a surface lists the modules that it serves. */
export interface ModuleDefinition<Context, Uses extends Definitions, Service> {
  readonly name: string;
  /** Found in the same list or one assembled earlier. */
  readonly uses?: Uses;
  readonly tags?: Tags;
  readonly tables?: readonly Migration[];
  readonly create: (context: Context, services: ServicesOf<Uses>) => Module<Service>;
}

export interface DefinitionFor<Context> {
  readonly name: string;
  readonly uses?: Definitions;
  readonly tags?: Tags;
  readonly tables?: readonly Migration[];
  readonly create: (context: Context, services: never) => Module;
}

export type Definitions = Readonly<Record<string, DefinitionFor<never>>>;

export type ServiceOf<Definition> = Definition extends {
  create: (context: never, services: never) => Module<infer Service>;
}
  ? Service
  : never;

export type ServicesOf<Uses> = { readonly [Name in keyof Uses]: ServiceOf<Uses[Name]> };

/** Declares a module. The type of `create` names only the parts of the context that the module needs. */
export const defineModule = <Context, Uses extends Definitions, Service>(
  definition: ModuleDefinition<Context, Uses, Service>,
): ModuleDefinition<Context, Uses, Service> => definition;
