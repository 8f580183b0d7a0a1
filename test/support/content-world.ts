import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startCore, type TestCore } from './core.ts';
import type { OpenDatabase } from './databases.ts';

export interface Report {
  status: string;
  created: number;
  updated: number;
  deleted: number;
}

export interface Move {
  status: string;
  files_total: number;
  files_done: number;
  problem: string | null;
}

interface ManifestEntry {
  relative_path: string;
  checksum_sha256: string;
}

export const MOVE = '/api/settings/storage/move';

const STARTER = fileURLToPath(new URL('../../starter/', import.meta.url));

/** A template and a few characters of the sample. */
export async function startWorld(t: TestContext, open?: OpenDatabase): Promise<TestCore> {
  const contentDir = mkdtempSync(join(tmpdir(), 'content-storage-'));
  for (const path of ['_Templates/Standard/CHARACTER_TEMPLATE.md', '_Rules', 'README.md'])
    cpSync(join(STARTER, path), join(contentDir, path), { recursive: true });
  for (const id of ['mira_vale', 'tobin_sark', 'oda_pell', 'lin_haiyue'])
    cpSync(join(STARTER, 'sample/Characters', id), join(contentDir, 'Characters', id), { recursive: true });
  const env = { ALLOW_PRIVATE_ENDPOINTS: 'true' };
  const core = await startCore({ contentDir, env, ...(open && { open }) });
  t.after(async () => {
    await core.close();
    rmSync(contentDir, { recursive: true, force: true });
  });
  await sync(core);
  return core;
}

export async function ok<Body>(core: TestCore, method: string, url: string, body?: unknown): Promise<Body> {
  const reply = await core.call<Body>(method, url, body === undefined ? {} : { body });
  assert.ok(reply.status < 300, `${method} ${url}: ${reply.status} ${reply.text}`);
  return reply.body;
}

export const sync = (core: TestCore) => ok<Report>(core, 'POST', '/api/entity/sync/all');

/** By path, as in the manifest. */
export async function checksums(core: TestCore): Promise<Record<string, string>> {
  const { entries } = await ok<{ entries: ManifestEntry[] }>(core, 'GET', '/api/manifest');
  return Object.fromEntries(entries.map((entry) => [entry.relative_path, entry.checksum_sha256]));
}

export async function arrived(core: TestCore): Promise<Move> {
  for (;;) {
    const move = await ok<Move>(core, 'GET', MOVE);
    if (move.status !== 'copying') return move;
    await sleep(100);
  }
}

export async function moveTo(core: TestCore, place: object): Promise<Move> {
  await ok(core, 'PUT', '/api/settings/storage', place);
  await ok(core, 'POST', MOVE);
  return arrived(core);
}

export const home = (core: TestCore) => ({ provider: 'local', path: core.contentDir });
export const contentOf = (core: TestCore) =>
  ok<{ content: { provider: string; is_here: boolean } }>(core, 'GET', '/api/settings/storage').then(
    ({ content }) => content,
  );
