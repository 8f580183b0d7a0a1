import type { Part } from '../kit/lifecycle.ts';
import type { Route } from '../kit/route.ts';
import type { Migration } from '../platform/database/migration.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { createWorker } from '../platform/jobs/worker.ts';
import type { DefinitionFor, JobQueue, Module, ServiceOf } from './module.ts';

/** A module as a surface serves it. */
export interface MountedModule extends Part {
  routes: readonly Route[];
  jobs?: readonly JobQueue[];
}

export interface Assembled {
  /** In the order of the list. */
  modules: readonly MountedModule[];
  /** What a module of the list provides. Throws for one that is not there. */
  service<Definition extends DefinitionFor<never>>(definition: Definition): ServiceOf<Definition>;
}

/** No modules. */
export const NOTHING: Assembled = {
  modules: [],
  service({ name }) {
    throw new Error(`the module '${name}' is not in the list of this surface`);
  },
};

/**
 * Creates modules in the order of their list, each with the services of those that it uses. They may stand in this list
 * or in one that was assembled before.
 */
export function assemble<Context>(
  context: Context,
  definitions: readonly DefinitionFor<Context>[],
  below: Assembled = NOTHING,
): Assembled {
  const created = new Map<DefinitionFor<never>, Module>();

  function service<Definition extends DefinitionFor<never>>(definition: Definition): ServiceOf<Definition> {
    const found = created.get(definition);
    // The type follows from the definition under which it was created.
    return found ? (found.service as ServiceOf<Definition>) : below.service(definition);
  }

  for (const definition of definitions) {
    const { uses = {}, create } = definition;
    const services = Object.entries(uses).map(([name, used]) => [name, service(used)]);
    // `defineModule` has compared the two types.
    created.set(definition, create(context, Object.fromEntries(services) as never));
  }
  const modules = [...created].map(([{ name }, module]) => mounted(name, module));
  return { modules, service };
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
