import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { treeOf } from '../installs.ts';
import { agreeAs, createBrowser } from '../oauth/browser.ts';
import { type OpenIdServer, startOpenIdServer } from '../oauth/openid-server.ts';
import { CLIENT, somebody } from '../oauth/people.ts';
import { type Studio, startStudio } from '../studio.ts';
import { until } from '../until.ts';
import { type DriveServer, startDriveServer } from './drive-server.ts';
import { headOf } from './objects.ts';
import type { SyncWorker } from './synced-core.ts';

/** The installation's name for browsers and drives; a proxy in front of the edge has its certificate. */
const PUBLIC_ORIGIN = 'https://canonry.example.com';
export const PROJECT = 'low_water';
const WRITES = /^(PATCH|POST) \/upload\//;

/** Checksums by path, in order; a name that is there twice is twice in it. */
export type Files = readonly (readonly [path: string, sha256: string])[];

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const inOrder = (files: Files): Files =>
  [...files].sort(([one], [other]) => (one < other ? -1 : Number(one > other)));

export const filesIn = (folder: string): Files =>
  inOrder([...treeOf(folder)].map(([path, text]) => [path, sha256(Buffer.from(text, 'latin1'))]));

export const pathsOf = (files: Files): string[] => files.map(([path]) => path);
const differs = (here: Files, there: Files): Files => {
  const known = new Set(there.map((each) => each.join()));
  return here.filter((each) => !known.has(each.join()));
};

export interface DriveStudio extends Studio {
  server: DriveServer;
  google: OpenIdServer;
  /** Of mails. */
  outbox: string;
  /** As the owner in the project. The reply must have the status. */
  call<Body = Record<string, unknown>>(
    status: number,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Body>;
  /** The owner consents in a browser. */
  consent(): Promise<void>;
  /** Of the connected folder, once there is one. */
  folderId: string;
  here(): Files;
  there(): Files;
  /** Resolves once both sides have the same bytes. */
  alike(): Promise<void>;
  /** As `alike`, with rounds that are asked for. */
  forced(): Promise<void>;
  worker(): Promise<SyncWorker | null>;
  /** Begins a forced sync in a core, which is killed when the drive has done its first write and not yet answered. */
  killAtWrite(core: string): Promise<void>;
  /** Somebody changes a text in the drive. With `unheard` its notifications are lost. */
  editThere(path: string, change: (text: string) => string, unheard?: 'unheard'): void;
}

/** The cloud of one command with the sample world, a drive, and the provider whose tokens the drive takes. */
export async function startDriveStudio(t: TestContext, redisUrl: string): Promise<DriveStudio> {
  const folder = mkdtempSync(join(tmpdir(), 'drive-journey-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const callback = `${PUBLIC_ORIGIN}/api/auth/storage-oauth/google/callback`;
  const google = await startOpenIdServer([callback], new Map([['mara', somebody('mara@example.com')]]));
  t.after(() => google.close());
  let edge = '';
  const behind = (address: string | URL) => String(address).replace(PUBLIC_ORIGIN, edge);
  const server = await startDriveServer({
    admits: google.admitsToDrive,
    allowHttpAddresses: false,
    reach: behind,
  });
  t.after(() => server.close());
  const studio = await startStudio(t, folder, redisUrl, {
    PUBLIC_URL: PUBLIC_ORIGIN,
    DRIVE_API_BASE: server.url,
    OAUTH_GOOGLE_CLIENT_ID: CLIENT.clientId,
    OAUTH_GOOGLE_CLIENT_SECRET: CLIENT.clientSecret,
    OAUTH_GOOGLE_ISSUER: google.url,
  });
  edge = studio.cloud.url;
  const { owner } = studio;

  const call: DriveStudio['call'] = async <Body>(
    status: number,
    method: string,
    path: string,
    body?: unknown,
  ) => {
    const reply = await owner.ask<Body>(
      method,
      `${path}${path.includes('?') ? '&' : '?'}project_id=${PROJECT}`,
      body,
    );
    assert.equal(reply.status, status, `${method} ${path}: ${reply.text}`);
    return reply.body;
  };
  const here = () => filesIn(studio.folderOf(PROJECT));
  const there = () =>
    inOrder(
      server.tree(journey.folderId).flatMap(({ fileId, path, text }) => {
        const file = server.file(fileId);
        return text === null || !file ? [] : [[path, sha256(headOf(file)?.content ?? Buffer.alloc(0))]];
      }),
    );
  const isAlike = () => JSON.stringify(here()) === JSON.stringify(there());
  const worker = async () =>
    (await call<{ sync_worker: SyncWorker | null }>(200, 'GET', '/api/drive-storage/cloud-sync-status'))
      .sync_worker;
  const seen = async () => ({
    onlyHere: differs(here(), there()),
    onlyThere: differs(there(), here()),
    worker: await worker().catch(String),
  });

  const journey: DriveStudio = {
    ...studio,
    server,
    google,
    outbox: join(folder, 'cloud', 'accounts', 'outbox'),
    call,
    async consent() {
      const browser = createBrowser();
      const headers = { authorization: `Bearer ${owner.token}` };
      const start = `${edge}/api/auth/storage-oauth/google?return_to=/studio/`;
      const begun = await browser.open(start, { headers });
      assert.equal(begun.status, 200, begun.text);
      const { authorization_url: url } = JSON.parse(begun.text) as { authorization_url: string };
      const stopAt = ({ origin }: URL) => origin === PUBLIC_ORIGIN;
      const back = await agreeAs(browser, url, { login: 'mara' }, { stopAt });
      const end = await browser.open(behind(back.url), { stopAt });
      assert.equal(end.url.href, `${PUBLIC_ORIGIN}/studio/?connected=google`);
    },
    folderId: '',
    here,
    there,
    alike: () => until(isAlike, seen),
    forced: () =>
      until(async () => {
        const { status } = await owner.ask('POST', `/api/drive-storage/force-sync?project_id=${PROJECT}`);
        return status === 200 && isAlike();
      }, seen),
    worker,
    async killAtWrite(core) {
      const { address, pid } = studio.cloud.process(core);
      const before = server.requests.length;
      server.faults.next({ match: WRITES, delayMs: 1_000 });
      const begun = fetch(`${address}/api/drive-storage/force-sync?project_id=${PROJECT}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${owner.token}` },
      });
      await until(() =>
        server.requests.slice(before).some(({ method, path }) => WRITES.test(`${method} ${path}`)),
      );
      process.kill(pid, 'SIGKILL');
      await assert.rejects(begun, 'the core was killed too late');
    },
    editThere(path, change, unheard) {
      const file = server.at(path, journey.folderId);
      assert.ok(file, `the drive has ${path}`);
      const before = headOf(file)?.content.toString() ?? '';
      const after = change(before);
      assert.notEqual(after, before, path);
      if (unheard) server.notifications.lose = server.channels.size;
      server.person('Ben').edit(file.id, after);
    },
  };
  return journey;
}
