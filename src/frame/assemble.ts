import type { Part } from '../kit/lifecycle.ts';
import type { Route } from '../kit/route.ts';
import type { Migration } from '../platform/database/migration.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { createWorker } from '../platform/jobs/worker.ts';
import type { DefinitionFor, JobQueue, Module, ServiceOf, Tags } from './module.ts';

/** A module as a surface serves it. */
export interface MountedModule extends Part {
  routes: readonly Route[];
  jobs?: readonly JobQueue[];
}

export interface Assembled {
  /** In the order in which they were created: each after those that it uses. */
  modules: readonly MountedModule[];
  /** In the order of the list. */
  tags: Tags;
  /** What a module of the list provides. Throws for one that is not there. */
  service<Definition extends DefinitionFor<never>>(definition: Definition): ServiceOf<Definition>;
}

/** No modules. */
export const NOTHING: Assembled = {
  modules: [],
  tags: {},
  service({ name }) {
    throw new Error(`the module '${name}' is not in the list of this surface`);
  },
};

/**
 * Creates the modules of a list, each with the services of those that it uses. These may stand anywhere in the list, or
 * in one that was assembled before: the list is in the order in which people read it.
 */
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
    // The type is that of the definition under which it was created.
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

/** Steps of the schema that modules bring, in the order of their lists. */
export const tablesOf = (definitions: readonly DefinitionFor<never>[]): Migration[] =>
  definitions.flatMap(({ tables = [] }) => tables);

/** Workers for the queues of the modules. */
export const workersOf = ({ modules }: Assembled, jobs: Jobs): Part[] =>
  modules.flatMap((module) => (module.jobs ?? []).map((queue) => createWorker({ jobs, ...queue })));
