import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { after, before } from 'node:test';
import { LOCAL_TENANT } from '../../src/access/local-tenant.ts';
import type { SyncResult } from '../../src/exchange/sync/sync.contract.ts';
import { DEFAULT_PROJECT } from '../../src/kit/contract.ts';
import type { Project } from '../../src/world/records/scope.ts';
import { type CoreSetup, startCore, type TestCore } from './core.ts';
import { listen } from './listen.ts';

/** A core with a folder that is edited from outside. */
export interface Installation {
  core: TestCore;
  project: Project;
  /** Without the recycle bin; equal texts mean equal bytes. */
  tree(): Map<string, string>;
  read(path: string): string;
  /** In one step, as editors do; then lets the service read it. */
  write(path: string, text: string | Uint8Array): Promise<void>;
  remove(path: string): Promise<void>;
  /** Renames files and folders one by one, then lets the service read that. */
  move(...moves: readonly (readonly [from: string, to: string])[]): Promise<void>;
  /** Fails if the round ended with an error. */
  sync(): Promise<SyncResult>;
}

const RECYCLE_BIN = '_RecycleBin';

export function treeOf(folder: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name));
    if (!entry.isFile() || path.startsWith(RECYCLE_BIN) || `/${path}`.includes('/.')) continue;
    files.set(path, readFileSync(join(folder, path)).toString('latin1'));
  }
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Synced with the cloud at `url`; only the test begins rounds. */
export async function startInstallation(
  { url, token }: { url: string; token: string },
  setup: CoreSetup,
): Promise<Installation> {
  const core = await startCore({ ...setup, env: { ALLOW_PRIVATE_ENDPOINTS: 'true', ...setup.env } });
  const project = await core.projects.open(LOCAL_TENANT, DEFAULT_PROJECT);
  const tokens = { access_token: token, refresh_token: 'none', expires_in: 3600 };
  await core.cloudSync.links.save(LOCAL_TENANT, { url, ...tokens, account: 'admin@example.com' });
  return { ...installationOf(core, project), sync: () => synced(core, project) };
}

function installationOf(core: TestCore, project: Project): Omit<Installation, 'sync'> {
  const at = (path: string) => join(core.contentDir, path);
  const refresh = async () => {
    const { error } = await core.mirror.sync(project, { kind: 'full' }, { force: true });
    if (error) throw new Error(error.message);
  };
  return {
    core,
    project,
    tree: () => treeOf(core.contentDir),
    read: (path) => readFileSync(at(path), 'utf8'),
    async write(path, text) {
      mkdirSync(dirname(at(path)), { recursive: true });
      const draft = join(dirname(at(path)), `.draft-${statSync(core.contentDir).ino}`);
      writeFileSync(draft, text);
      renameSync(draft, at(path));
      await refresh();
    },
    async remove(path) {
      rmSync(at(path), { recursive: true });
      await refresh();
    },
    async move(...moves) {
      for (const [from, to] of moves) {
        mkdirSync(dirname(at(to)), { recursive: true });
        renameSync(at(from), at(to));
      }
      await refresh();
    },
  };
}

/** A cloud and two installations, all equal at first. */
export async function startReplicas(setup: CoreSetup) {
  const hub = await startCore(setup);
  const link = { url: await listen(hub), token: hub.adminToken };
  const [one, two] = await Promise.all([startInstallation(link, setup), startInstallation(link, setup)]);
  return {
    hub,
    one,
    two,
    /** All must be equal to the last byte, with nothing left to send. */
    async settle(): Promise<void> {
      for (const install of [one, two, one]) await install.sync();
      const tree = treeOf(hub.contentDir);
      assert.deepEqual(one.tree(), tree);
      assert.deepEqual(two.tree(), tree);
      for (const install of [one, two]) {
        const { requests, pushed, pulled } = await install.sync();
        assert.deepEqual({ requests, pushed, pulled }, { requests: 1, pushed: 0, pulled: 0 });
      }
    },
    close: () => Promise.all([one.core.close(), two.core.close(), hub.close()]),
  };
}

/** The same for all tests of a suite, whose first one finds the members filled in. */
export function replicasOfSuite(setup: CoreSetup) {
  const [hub, one, two] = [{} as TestCore, {} as Installation, {} as Installation];
  let started: Awaited<ReturnType<typeof startReplicas>>;
  before(async () => {
    started = await startReplicas(setup);
    Object.assign(hub, started.hub);
    Object.assign(one, started.one);
    Object.assign(two, started.two);
  });
  after(() => started.close());
  return { hub, one, two, settle: () => started.settle() };
}

async function synced(core: TestCore, project: Project): Promise<SyncResult> {
  const result = await core.cloudSync.syncNow(project);
  if (result.error) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result;
}
