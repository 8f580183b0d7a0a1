import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAccounts } from '../accounts.ts';
import { cloudEnv, createRunningClock, REDIS_URL } from '../cloud.ts';
import { openTestPostgres } from '../databases.ts';
import { listen } from '../listen.ts';
import { type LiveNode, nodeOf } from './live-node.ts';
import { startLiveProcess } from './live-process.ts';

/**
 * Two cores over PostgreSQL and Redis, asked in turns; this process answers for accounts. Its clock does not jump: cores
 * share that of their database.
 */
export async function startLiveCloud(name: string): Promise<LiveNode> {
  const contentDir = mkdtempSync(join(tmpdir(), 'replica-cloud-'));
  const opened = await openTestPostgres({ forCore: true });
  const accounts = await startAccounts({
    open: openTestPostgres,
    clock: createRunningClock(),
    env: { DEPLOYMENT: 'cloud', REDIS_URL },
  });
  const accountsUrl = await listen(accounts);
  const startOne = () =>
    startLiveProcess(
      (folder) => ({
        DATA_DIR: join(folder, 'data'),
        ...cloudEnv({ contentDir, opened, accounts, accountsUrl }),
      }),
      ['--surface', 'core'],
    );
  const cores = await Promise.all([startOne(), startOne()]);
  const { token, tenantId } = accounts.first;
  const made = await accounts.ask('POST', '/api/api-keys', {
    token,
    body: { name: 'replicas', scopes: ['admin'] },
  });
  const { key } = JSON.parse(made.text) as { key?: string };
  if (key === undefined) throw new Error(`no key for the cloud: ${made.text}`);
  await accounts.tenants.changePlan(tenantId, 'enterprise');
  const node = nodeOf(cores, {
    name,
    key,
    databaseUrl: opened.url,
    folderOf: (project) => join(contentDir, tenantId, project),
  });
  return {
    ...node,
    url: (path) => (path.startsWith('/api/auth/') ? accountsUrl : node.url(path)),
    jump: async () => {},
    async close() {
      await node.close();
      await accounts.close();
      await opened.close();
      rmSync(contentDir, { recursive: true, force: true });
    },
  };
}
