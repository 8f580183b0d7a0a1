import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findPrograms, freePort, startServer } from './private-server.mjs';
import { run } from './processes.mjs';

/** Whether a PostgreSQL server answers a query at this URL. */
export async function answersPostgres(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000, query_timeout: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Starts a private PostgreSQL in a temporary folder, or returns undefined where its programs are missing. */
export async function startPostgres() {
  const bin = findPrograms('initdb', 'postgres');
  if (!bin) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'canonry-postgres-'));
  const data = join(folder, 'data');
  try {
    const port = await freePort();
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const user = userFor(folder);
    await initialise(join(bin, 'initdb'), data, { ...user, cwd: folder });
    const settings = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: folder,
      fsync: 'off',
      max_connections: 200,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const command = [join(bin, 'postgres'), '-D', data, ...flags];
    return { url, ...(await startServer({ command, folder, user, isReady: () => answersPostgres(url) })) };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function initialise(initdb, data, options) {
  const flags = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  const { code, output } = await run(initdb, flags, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  if (code !== 0) throw new Error(`initdb failed\n${output.trim()}`);
}

/** PostgreSQL refuses to run as root: there it runs as `postgres` or `nobody`, who then owns the folder. */
function userFor(folder) {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = ['postgres', 'nobody'].flatMap((name) => users.filter(([entry]) => entry === name))[0];
  if (!user) throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody');
  const [uid, gid] = [Number(user[2]), Number(user[3])];
  chownSync(folder, uid, gid);
  return { uid, gid };
}
