import type { Route } from '../kit/route.ts';
import type { Migration } from '../platform/database/migration.ts';
import type { WorkerOptions } from '../platform/jobs/worker.ts';

/** A queue whose jobs a module does, in a core or in a process of its own. */
export type JobQueue = Omit<WorkerOptions, 'jobs'>;

/** What groups of routes are about, by name. */
export type Tags = Readonly<Record<string, string>>;

/** What a module brings into a process. */
export interface Module<Service = unknown> {
  /** What the modules that use this one get. */
  service?: Service;
  routes?: readonly Route[];
  jobs?: readonly JobQueue[];
  /** Runs after migrations, before requests are served. */
  start?(): Promise<void>;
  /** Runs once requests have stopped, in the reverse order of start. */
  stop?(): Promise<void>;
}

/** A capability as data: a surface lists what it serves, and each module is made of those before it. */
export interface ModuleDefinition<Context, Uses extends Definitions, Service> {
  readonly name: string;
  /** The modules whose services it gets, in the same list or in one below. */
  readonly uses?: Uses;
  /** What its groups of routes are about, by the tag of their contracts. */
  readonly tags?: Tags;
  /** Steps of its tables' schema, oldest first. */
  readonly tables?: readonly Migration[];
  readonly create: (context: Context, services: ServicesOf<Uses>) => Module<Service>;
}

/** A definition that a surface with this context can list. */
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

/** Declares a module. `create` names what it takes of the surface's context, and no more. */
export const defineModule = <Context, Uses extends Definitions, Service>(
  definition: ModuleDefinition<Context, Uses, Service>,
): ModuleDefinition<Context, Uses, Service> => definition;
