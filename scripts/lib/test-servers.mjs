import { existsSync } from 'node:fs';
import { answersPostgres, startPostgres } from './postgres.mjs';
import { run } from './processes.mjs';
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
 * Gives the tests their servers by way of the environment: one that answers already, else a private one.
 * @returns {Promise<{missing: string[], stop: () => Promise<void>}>} what did not run, and the end of the private ones
 */
export async function provideServers() {
  const stops = [];
  const missing = [];
  for (const server of SERVERS) {
    const url = process.env[server.variable] ?? server.usual;
    process.env[server.variable] = url;
    if (await server.answers(url)) continue;
    const started = await startPrivate(server);
    if (started) {
      process.env[server.variable] = started.url;
      stops.push(started.stop);
      console.log(`ok   started a private ${server.name} (none answers at ${withoutPassword(url)})`);
    } else {
      delete process.env[server.variable];
      process.env[server.off] = 'off';
      missing.push(
        `${server.suites}: no ${server.name} at ${withoutPassword(url)}, none on this machine (${server.variable} names one)`,
      );
    }
  }
  return { missing, stop: async () => void (await Promise.all(stops.map((stop) => stop()))) };
}

async function startPrivate(server) {
  try {
    return (
      (await server.start()) ??
      ((await installPackage(server.debianPackage)) ? await server.start() : undefined)
    );
  } catch (error) {
    console.log(`FAIL private ${server.name}: ${error.message}`);
    return undefined;
  }
}

/** Only a CI machine is ours to change. */
async function installPackage(name) {
  if (process.env.CI !== 'true' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  const options = {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  await run('apt-get', ['update', '-qq'], options);
  const { code } = await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], options);
  return code === 0;
}

function withoutPassword(url) {
  return url.replace(/:[^:@/]*@/, '@');
}
