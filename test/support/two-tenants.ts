import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { NOTHING } from '../../src/frame/assemble.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { loadConfig } from '../../src/kit/config/index.ts';
import { unauthorized } from '../../src/kit/errors.ts';
import { silentLog } from '../../src/kit/log.ts';
import type { Principal } from '../../src/kit/principal.ts';
import { createSharpImages } from '../../src/platform/images/adapters/sharp-images.ts';
import { unconfiguredDriveAccounts } from '../../src/remote/no-drive-accounts.ts';
import { type ContentCore, type CoreKind, startContentCore } from '../../src/surfaces/content-core.ts';
import { tenantFolder } from '../../src/surfaces/folders.ts';
import { openTenantFolders } from '../../src/surfaces/platform.ts';
import { openBase } from '../../src/surfaces/service.ts';
import { buildStudio } from './built-studio.ts';
import type { OpenDatabase } from './databases.ts';
import { saveFile } from './save-file.ts';
import { hashOfFiles, hashOfRows } from './tenant-state.ts';
import { unlimitedCredits } from './unlimited-credits.ts';

export interface TwoTenants extends ContentCore {
  /** Into a tenant's first project, as an editor would. */
  put(tenantId: string, path: string, content: string | Uint8Array): void;
  /** A hash of all the tenant's rows and files. */
  stateOf(tenantId: string): Promise<string>;
  close(): Promise<void>;
}

/** A tenant's id is the token of its owner. */
export async function startTwoTenants(open: OpenDatabase): Promise<TwoTenants> {
  const opened = await open({ forCore: true });
  const root = await mkdtemp(join(tmpdir(), 'tenants-'));
  const studio = buildStudio();
  const { config } = loadConfig({
    mode: 'start',
    env: {
      DATA_DIR: join(root, 'data'),
      CONTENT_DIR: join(root, 'content'),
      DATABASE_URL: opened.url,
      RATE_LIMIT_USER: '0',
    },
  });
  const folderOf = (tenantId: string) => tenantFolder(config.contentDir, tenantId, 'default');
  const options = { config, log: { ...silentLog, flush: async () => {} }, clock: systemClock };
  const kind: CoreKind = {
    people: NOTHING,
    authenticate: ownerOf,
    anonymous: null,
    folders: await openTenantFolders(config),
    localStorage: null,
    images: createSharpImages(),
    credits: unlimitedCredits,
    driveAccounts: unconfiguredDriveAccounts,
    planOf: () => 'enterprise',
    storageLimitOf: () => -1,
    nameOf: async (userId) => userId,
    workFolder: config.dataDir,
    worksItself: false,
    installation: async () => ({
      deployment: 'cloud',
      first_run: false,
      registration: 'closed',
      providers: [],
      mail: false,
    }),
  };
  const core = await startContentCore(await openBase(options), kind, {
    ...options,
    verifyReplies: true,
    studioFolder: studio.folder,
    watch: false,
  });
  return {
    ...core,
    put: (tenantId, path, content) => saveFile(join(folderOf(tenantId), path), content),
    async stateOf(tenantId) {
      return `${await hashOfFiles(dirname(folderOf(tenantId)))} ${await hashOfRows(core.database, tenantId)}`;
    },
    async close() {
      await core.close();
      await opened.close();
      studio.remove();
      await rm(root, { recursive: true, force: true });
    },
  };
}

function ownerOf(token: string): Principal {
  if (!/^[a-z]+$/.test(token)) throw unauthorized('Sign in again');
  const roles = { role: 'owner', tenantRole: 'owner', plan: 'enterprise' } as const;
  return { userId: `owner of ${token}`, email: `${token}@example.com`, tenantId: token, ...roles };
}
