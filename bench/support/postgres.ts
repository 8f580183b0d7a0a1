import { randomUUID } from 'node:crypto';
import pg from 'pg';

const POSTGRES_URL = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** With the address of an empty database, which is removed afterwards. */
export async function withPostgres<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
  const administrator = new pg.Client({ connectionString: POSTGRES_URL });
  await administrator.connect();
  const name = `canonry_bench_${randomUUID().replaceAll('-', '')}`;
  await administrator.query(`create database ${name}`);
  const url = new URL(POSTGRES_URL);
  url.pathname = `/${name}`;
  try {
    return await work(url.href);
  } finally {
    await administrator.query(`drop database ${name} with (force)`);
    await administrator.end();
  }
}
