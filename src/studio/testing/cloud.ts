import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { runCommand } from '../../../test/support/command.ts';
import { startConstellation } from '../../../test/support/constellation.ts';
import { openTestPostgres } from '../../../test/support/databases.ts';
import { NO_LIMITS } from '../../../test/support/no-limits.ts';
import { until } from '../../../test/support/until.ts';
import { type Person, windowsOf } from './windows.ts';

const REDIS_URL = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

/** For `skip`: why there is no cloud, if there is none. */
export const isCloudOff =
  process.env.CANONRY_TEST_POSTGRES === 'off' || process.env.CANONRY_TEST_REDIS === 'off'
    ? 'needs a PostgreSQL server and Redis'
    : false;

export interface Cloud extends ReturnType<typeof windowsOf> {
  url: string;
  dataDir: string;
  /** An account with a tenant of its own. The first one runs the installation; all others answer a mail. */
  add(person: Person, tenantName: string): Promise<void>;
  /** Path and query of the link in the mail to an address. */
  mailedLink(email: string): Promise<string>;
  /** Runs a command on its machine; resolves to what it prints. */
  canonry(...args: string[]): Promise<string>;
}

/** Edge, accounts, cores and a worker, each a process of its own, on PostgreSQL. */
export async function startCloud(t: TestContext): Promise<Cloud> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-cloud-'));
  const dataDir = join(folder, 'data');
  const [content, accounts] = [await openTestPostgres(), await openTestPostgres()];
  const ends: (() => Promise<unknown>)[] = [];
  let endCloud = async (): Promise<unknown> => undefined;
  // Windows are closed first: one that is open when the cloud ends would show that as a fault.
  t.after(async () => {
    try {
      for (const end of ends) await end();
    } finally {
      await endCloud();
      await Promise.all([content.close(), accounts.close()]);
      rmSync(folder, { recursive: true, force: true });
    }
  });
  const env = {
    ...NO_LIMITS,
    DATA_DIR: dataDir,
    DATABASE_URL: content.url,
    ACCOUNTS_DATABASE_URL: accounts.url,
    REDIS_URL,
  };
  const cloud = await startConstellation(t, env);
  endCloud = () => cloud.end('SIGTERM');

  async function post(path: string, body?: object): Promise<number> {
    const reply = await fetch(`${cloud.url}${path}`, {
      method: 'POST',
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    assert.ok(reply.ok, `${path}: ${reply.status} ${await reply.text()}`);
    return reply.status;
  }

  async function mailedLink(email: string): Promise<string> {
    const outbox = join(dataDir, 'accounts/outbox');
    const letters = () =>
      readdirSync(outbox)
        .map((name) => readFileSync(join(outbox, name), 'utf8'))
        .filter((text) => text.includes(`To: ${email}`));
    await until(() => letters().length > 0);
    const { pathname, search } = new URL(/https?:\/\/\S+token=\S+/.exec(letters()[0] ?? '')?.[0] ?? '');
    return pathname + search;
  }

  let isFirst = true;
  return {
    ...windowsOf({ after: (end) => ends.push(end) }, cloud.url),
    url: cloud.url,
    dataDir,
    mailedLink,
    canonry: async (...args) => (await runCommand({ cwd: folder, env }, ...args)).out,
    async add({ email, password }, tenantName) {
      await post('/api/auth/register', { email, password, tenant_name: tenantName });
      if (!isFirst) {
        const token = new URLSearchParams((await mailedLink(email)).split('?')[1]).get('token') ?? '';
        await post(`/api/auth/verify?token=${encodeURIComponent(token)}`);
      }
      isFirst = false;
    },
  };
}
