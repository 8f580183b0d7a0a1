import { HttpError } from '../../kit/errors.ts';
import { bounded } from './bounded.ts';

/** The parts that the service needs. Each probe rejects when its part does not work; none has to limit its own time. */
interface Probes {
  database(): Promise<void>;
  storage(): Promise<void>;
  cache(): Promise<void>;
  /** The accounts service, where people are known elsewhere. */
  accounts?: (() => Promise<void>) | undefined;
  /** Where models are asked, if anywhere. */
  ai?: (() => Promise<void>) | undefined;
  /** The bus that carries events to other processes. */
  events?: (() => Promise<void>) | undefined;
}

export interface HealthOptions {
  probes: Probes;
  /** True if the database keeps vectors, for searches by meaning. */
  keepsVectors?: boolean;
  /** Live entities of all projects. It is public and often called, so it must read a stored total and not count. */
  countEntities(): Promise<number>;
  entityTypes(): readonly string[];
  /** True once the content was compared with the database, so that lists are complete. */
  isCompared?(): boolean;
}

const COUNT_TIMEOUT_MS = 1_000;
const PROBE_TIMEOUT_MS = 2_000;

const notServing = (detail: string, body: Record<string, unknown>) =>
  new HttpError(503, detail, { code: 'unavailable', headers: { 'retry-after': '5' }, body });

const notReady = (why: string, missing: readonly string[]) =>
  notServing(`Not ready: ${why}`, { status: 'not_ready', waiting_for: missing });

/** Health as seen from outside (spec 1 §4.11). Every probe has a time limit. */
export function createHealth({
  probes,
  keepsVectors = false,
  countEntities,
  entityTypes,
  isCompared,
}: HealthOptions) {
  const count = bounded(countEntities, COUNT_TIMEOUT_MS);
  const probe = (ask: () => Promise<void>) => {
    const limited = bounded(async () => ask(), PROBE_TIMEOUT_MS);
    return () =>
      limited().then(
        () => true,
        () => false,
      );
  };
  const database = probe(probes.database);
  const storage = probe(probes.storage);
  const cache = probe(probes.cache);
  const accounts = probes.accounts && probe(probes.accounts);
  const ai = probes.ai && probe(probes.ai);
  const events = probes.events && probe(probes.events);

  return {
    /** 503 when the database does not answer. */
    async health() {
      const found = await count().catch(() => null);
      if (found === null) throw notServing('The database does not answer', { status: 'unhealthy' });
      return { status: 'healthy' as const, entity_count: found, entity_types: [...entityTypes()] };
    },
    async services() {
      const [isConnected, isAccessible, isCached, knowsPeople, isAsked, isHeard] = await Promise.all([
        database(),
        storage(),
        cache(),
        accounts?.(),
        ai?.(),
        events?.(),
      ]);
      return {
        backend: 'healthy' as const,
        database: isConnected ? ('connected' as const) : ('unavailable' as const),
        ai_service: stateOf(isAsked),
        storage: isAccessible ? ('accessible' as const) : ('inaccessible' as const),
        cache: isCached ? ('connected' as const) : ('unavailable' as const),
        vector_store: stateOf(keepsVectors ? isConnected : undefined),
        accounts: stateOf(knowsPeople),
        events: stateOf(isHeard),
      };
    },
    /** 503 that names the missing part, also until lists are complete. Without a cache, requests are still served. */
    async readiness() {
      const [isConnected, isAccessible] = await Promise.all([database(), storage()]);
      const missing = [...(isConnected ? [] : ['database']), ...(isAccessible ? [] : ['storage'])];
      if (missing.length > 0) throw notReady(`no answer from ${missing.join(' and ')}`, missing);
      if (isCompared?.() === false) throw notReady('the content folder is being compared', ['content']);
      return { status: 'ready' as const };
    },
  };
}

const stateOf = (answers: boolean | undefined) =>
  answers === undefined
    ? ('not_configured' as const)
    : answers
      ? ('connected' as const)
      : ('unavailable' as const);

export type Health = ReturnType<typeof createHealth>;
