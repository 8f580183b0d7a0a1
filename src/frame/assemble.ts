import type { Part } from '../kit/lifecycle.ts';
import type { Route } from '../kit/route.ts';
import type { Migration } from '../platform/database/migration.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { createWorker } from '../platform/jobs/worker.ts';
import type { DefinitionFor, JobQueue, Module, ServiceOf, Tags } from './module.ts';

export interface MountedModule extends Part {
  routes: readonly Route[];
  jobs?: readonly JobQueue[];
}

export interface Assembled {
  /** In the order in which they were created: each after the ones that it uses. */
  modules: readonly MountedModule[];
  tags: Tags;
  /** Throws if the module is not in the list. */
  service<Definition extends DefinitionFor<never>>(definition: Definition): ServiceOf<Definition>;
}

export const NOTHING: Assembled = {
  modules: [],
  tags: {},
  service({ name }) {
    throw new Error(`the module '${name}' is not in the list of this surface`);
  },
};

/** Creates each module with the services of those that it uses. Any order will do: lists keep the one in which people read them. */
export function assemble<Context>(
  context: Context,
  definitions: readonly DefinitionFor<Context>[],
  below: Assembled = NOTHING,
): Assembled {
  const list = new Map<DefinitionFor<never>, DefinitionFor<Context>>(definitions.map((each) => [each, each]));
  const created = new Map<DefinitionFor<never>, Module>();

  function service<Definition extends DefinitionFor<never>>(definition: Definition): ServiceOf<Definition> {
    const listed = list.get(definition);
    if (listed === undefined) return below.service(definition);
    // Each module is stored under the definition that created it, so the types agree.
    return (created.get(listed) ?? createListed(listed)).service as ServiceOf<Definition>;
  }

  function createListed(definition: DefinitionFor<Context>): Module {
    const services = Object.entries(definition.uses ?? {}).map(([name, used]) => [name, service(used)]);
    // `defineModule` has compared the two types.
    const module = definition.create(context, Object.fromEntries(services) as never);
    created.set(definition, module);
    return module;
  }

  for (const definition of definitions) if (!created.has(definition)) createListed(definition);
  const modules = [...created].map(([{ name }, module]) => mounted(name, module));
  return { modules, tags: Object.assign({}, ...definitions.map(({ tags }) => tags)) as Tags, service };
}

const mounted = (name: string, { routes = [], jobs, start, stop }: Module): MountedModule => ({
  name,
  routes,
  ...(jobs && { jobs }),
  ...(start && { start }),
  ...(stop && { stop }),
});

/** The used modules' migrations come first: their tables may be read in a step. */
export function tablesOf(definitions: readonly DefinitionFor<never>[]): Migration[] {
  const ordered = new Set<DefinitionFor<never>>();
  const add = (definition: DefinitionFor<never>): void => {
    Object.values(definition.uses ?? {}).forEach(add);
    ordered.add(definition);
  };
  definitions.forEach(add);
  return [...ordered].flatMap(({ tables = [] }) => tables);
}

/** The modules of a surface that only serves them. Throws if one has a queue, since nobody would work on it. */
export function withoutJobs({ modules }: Assembled): readonly MountedModule[] {
  const working = modules.find(({ jobs }) => jobs !== undefined);
  if (working)
    throw new Error(`the module '${working.name}' has jobs: a module listed in jobModules must have them`);
  return modules;
}

export const workersOf = ({ modules }: Assembled, jobs: Jobs): Part[] =>
  modules.flatMap((module) => (module.jobs ?? []).map((queue) => createWorker({ jobs, ...queue })));
