import { randomUUID } from 'node:crypto';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findPrograms, freePort, unprivilegedUser } from '../../src/cli/cloud/programs.ts';
import { openPostgres } from '../../src/platform/database/adapters/postgres-database.ts';
import { coreMigrations } from '../../src/surfaces/core-modules.ts';
import { startServer } from './private-server.mjs';
import { run } from './processes.mjs';

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

/**
 * Creates a template database with the tables of a core and without rows.
 * @param {string} url the server's
 * @returns {Promise<{name: string, drop: () => Promise<void>}>}
 */
export async function createTemplate(url) {
  const name = `canonry_test_template_${randomUUID().replaceAll('-', '')}`;
  await query(url, `create database ${name}`);
  const place = new URL(url);
  place.pathname = `/${name}`;
  const database = openPostgres(place.href);
  await database.migrate(coreMigrations);
  await database.close();
  return { name, drop: () => query(url, `drop database ${name} with (force)`) };
}

/** From version 15 on, a server logs every block of a new database unless it is told to copy the files: twice the work. */
export async function copyStrategy(url) {
  const [{ version }] = await query(url, "select current_setting('server_version_num')::int as version");
  return version >= 150_000 ? 'strategy file_copy' : '';
}

async function query(url, statement) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** In a temporary folder; undefined if its programs are missing. */
export async function startPostgres() {
  const bin = findPrograms(process.env.PATH, 'initdb', 'postgres');
  if (!bin) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'canonry-postgres-'));
  const data = join(folder, 'data');
  try {
    const port = await freePort();
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const user = unprivilegedUser('postgres');
    if (user) chownSync(folder, user.uid, user.gid);
    await initialise(join(bin, 'initdb'), data, { ...user, cwd: folder });
    const settings = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: folder,
      fsync: 'off',
      full_page_writes: 'off',
      wal_level: 'minimal',
      max_wal_senders: 0,
      shared_buffers: '256MB',
      max_wal_size: '2GB',
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
