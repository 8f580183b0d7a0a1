import { installPackage } from './packages.mjs';
import { answersPostgres, copyStrategy, createTemplate, startPostgres } from './postgres.mjs';
import { answersRedis, startRedis } from './redis.mjs';

const SERVERS = [
  {
    name: 'PostgreSQL',
    variable: 'TEST_POSTGRES_URL',
    usual: 'postgres://postgres@127.0.0.1:5432/postgres',
    off: 'CANONRY_TEST_POSTGRES',
    suites: 'the SQL suites on PostgreSQL',
    debianPackage: 'postgresql',
    answers: answersPostgres,
    start: startPostgres,
    prepare: prepareTemplate,
  },
  {
    name: 'Redis',
    variable: 'TEST_REDIS_URL',
    usual: 'redis://127.0.0.1:6379',
    off: 'CANONRY_TEST_REDIS',
    suites: 'the fan-out and queue suites on Redis',
    debianPackage: 'redis-server',
    answers: answersRedis,
    start: startRedis,
  },
];

/**
 * Provides the servers of the tests through environment variables: the one that a variable names, otherwise a
 * private one, which is faster and not shared, otherwise one at the usual address.
 * @returns {Promise<{missing: string[], lost: Promise<string>, stop: () => Promise<void>}>} the suites that
 * cannot run, the first private server that ended by itself, and a function that stops them all
 */
export async function provideServers() {
  const stops = [];
  const losses = [];
  const missing = [];
  for (const server of SERVERS) {
    const named = process.env[server.variable];
    const used =
      (named && (await existing(server, named))) ??
      (await startPrivate(server)) ??
      (await existing(server, server.usual)) ??
      (await installed(server));
    if (used) {
      process.env[server.variable] = used.url;
      losses.push(used.lost.then((how) => `the private ${server.name} is gone: ${how}`));
      const undo = await server.prepare?.(used.url);
      stops.push(async () => {
        // A server that is gone has nothing left to undo.
        await undo?.().catch(() => undefined);
        await used.stop();
      });
    } else {
      delete process.env[server.variable];
      process.env[server.off] = 'off';
      missing.push(
        `${server.suites}: no ${server.name} at ${withoutPassword(named ?? server.usual)}, none on this machine (${server.variable} names one)`,
      );
    }
  }
  return {
    missing,
    lost: Promise.race(losses),
    stop: async () => void (await Promise.all(stops.map((stop) => stop()))),
  };
}

/** Most tests begin with the tables of a core: copying a template is fast. */
async function prepareTemplate(url) {
  const { name, drop } = await createTemplate(url);
  process.env.TEST_POSTGRES_TEMPLATE = name;
  process.env.TEST_POSTGRES_STRATEGY = await copyStrategy(url);
  return drop;
}

const existing = async (server, url) =>
  (await server.answers(url)) ? { url, lost: new Promise(() => {}), stop: async () => {} } : undefined;

const installed = async (server) =>
  (await installPackage(server.debianPackage)) ? startPrivate(server) : undefined;

async function startPrivate(server) {
  try {
    const started = await server.start();
    if (started) console.log(`ok   started a private ${server.name}`);
    return started;
  } catch (error) {
    console.log(`FAIL private ${server.name}: ${error.message}`);
    return undefined;
  }
}

function withoutPassword(url) {
  return url.replace(/:[^:@/]*@/, '@');
}
