import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, systemClock } from '../../../src/kit/clock.ts';
import { createAccess } from './access.ts';
import { type DriveRequest, serve } from './answer.ts';
import type { Api } from './api.ts';
import { type Channel, createChannels, type Notifications } from './channels.ts';
import { createFaults, type Faults } from './faults.ts';
import { FOLDER, type StoredFile, type User } from './objects.ts';
import { createPerson, fileAt, get, type Person, type TreeEntry, treeOf, userOf } from './people.ts';
import { createStore } from './store.ts';

/**
 * A cloud drive of ours that speaks the Google Drive API v3 on a real socket. One app is connected to one account, with scope
 * `drive.file`. Usual use:
 *
 *     const server = await startDriveServer();
 *     t.after(() => server.close());
 *     // the adapter with server.url and server.token
 *     const ada = server.person('Ada');
 *     ada.edit(server.at('World/Characters/Ada.md')?.id ?? '', 'Other words');
 *     assert.deepEqual(server.tree(folderId), [{ path: 'Ada.md', text: 'Other words' }]);
 *
 * Simpler than the real drive: notifications and changes come at once; everybody may change everything but what `setCanEdit` forbids;
 * the folder at the root can be seen; a document is kept as the HTML that it was made of.
 */
export interface DriveServer {
  /** In front of `/drive/v3`, `/upload/drive/v3` and `/batch/drive/v3`. */
  readonly url: string;
  /** The newest token; may have expired. */
  readonly token: string;
  /** Also ends a revocation, as a new consent. Tokens from before stay valid. */
  issueToken(): string;
  /** No token is valid until another one is issued. */
  expireToken(): void;
  /** As `expireToken`; `isRevoked` says that there will be no other one. */
  revoke(): void;
  readonly isRevoked: boolean;
  /** Those that the user consented to; may be changed. */
  scopes: Set<string>;

  /** The account's own person. */
  owner: Person;
  person(name: string): Person;
  account: User;
  rootId: string;
  /** Returns its id, which is its folder's too. */
  addSharedDrive(name?: string): string;
  /** By path, from the root or a folder; undefined if there is none. */
  at(path: string, rootId?: string): StoredFile | undefined;
  file(fileId: string): StoredFile | undefined;
  /** Also what is in the trash. */
  files(): StoredFile[];
  /** Grows with every change. */
  readonly changeCount: number;
  /** All in a folder but what is in the trash, sorted. */
  tree(rootId?: string): TreeEntry[];
  /** The app sees a file from now on; with `below`, also all that is in it now. */
  pick(fileId: string, options?: { below?: boolean }): void;
  /** The app does not see a file any more, nor what is in it. */
  unpick(fileId: string): void;
  /** Says if the account may change a file and all in it; null for as the folder above. */
  setCanEdit(fileId: string, canEdit: boolean | null): void;

  faults: Faults;
  notifications: Notifications;
  /** By their ids. */
  channels: Map<string, Channel>;
  /** Bytes; null without a limit. */
  storageLimit: number | null;
  readonly storageUsed: number;
  clockOffsetMs: number;
  now(): number;
  /** No token for changes or pages is accepted any more. */
  loseTokens(): void;
  /** 400 at first; the real drive has both. */
  expiredTokenStatus: 400 | 410;
  /** All resumable uploads under way end. */
  loseUploads(): void;
  /** If true, a change of a folder's trash is listed for all that is in it, too; false at first. */
  trashListsDescendants: boolean;
  /** If false, answers have no `sha256Checksum`, which the real drive leaves out for some files; true at first. */
  tellsSha256: boolean;

  /** In order of arrival; a batch is one. */
  requests: DriveRequest[];
  /** The greatest number of requests at once; may be set to 0. */
  maxAtOnce: number;
  /** Ends all connections and listens again at the same port after a time; everything is kept. */
  restart(downMs?: number): Promise<void>;
  close(): Promise<void>;
}

export interface DriveServerOptions {
  clock?: Clock;
  /** Of channels; the real drive refuses them. True by default. */
  allowHttpAddresses?: boolean;
  email?: string;
  /** Says if a token is good, where another server issues them; `issueToken` and what else ends tokens then has no effect. */
  admits?: (token: string) => boolean;
  /** Where the address of a channel is reached in the test. */
  reach?: (address: string) => string;
}

export async function startDriveServer({
  clock = systemClock,
  allowHttpAddresses = true,
  email = 'writer@example.com',
  admits,
  reach,
}: DriveServerOptions = {}): Promise<DriveServer> {
  const account = userOf('Writer', email);
  const store = createStore(clock, account);
  const access = createAccess(admits);
  const faults = createFaults();
  const channels = createChannels(store.now, reach);
  const requests: DriveRequest[] = [];
  let [atOnce, maxAtOnce, url] = [0, 0, ''];
  const api: Api = {
    store,
    channels,
    uploads: new Map(),
    pages: new Map(),
    tokenBase: 1_000,
    expiredTokenStatus: 400,
    allowHttpAddresses,
    tellsSha256: true,
    scopes: access.scopes,
    url: () => url,
  };
  store.listeners.add(({ wasVisible }) => {
    if (wasVisible) channels.notify();
  });

  const serving = { api, access, takeFault: faults.take, requests };
  const server = createServer((incoming, response) => {
    atOnce += 1;
    maxAtOnce = Math.max(maxAtOnce, atOnce);
    response.on('error', () => {});
    response.once('close', () => {
      atOnce -= 1;
    });
    void serve(serving, incoming, response);
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', () => resolve());
    });
  const end = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}`;

  const see = (fileId: string, isVisible: boolean, below: boolean) => {
    const file = get(store, fileId);
    for (const each of [file, ...(below ? store.below(file) : [])])
      if (each.isVisible !== isVisible) store.show(each, isVisible);
  };

  return {
    url,
    get token() {
      return access.token;
    },
    issueToken: access.issueToken,
    expireToken: access.expireToken,
    revoke: access.revoke,
    get isRevoked() {
      return access.isRevoked;
    },
    scopes: access.scopes,
    owner: createPerson(store, account),
    person: (name) => createPerson(store, userOf(name)),
    account,
    rootId: store.rootId,
    addSharedDrive(name = 'Drive') {
      const id = `0A${Buffer.from(`${store.files.size} ${name}`).toString('base64url')}Uk9PVA`;
      store.add({ id, name, mimeType: FOLDER, parentId: null, driveId: id, owner: account });
      return id;
    },
    at: (path, rootId = store.rootId) => fileAt(store, path, rootId),
    file: (fileId) => store.files.get(fileId),
    files: () => [...store.files.values()],
    get changeCount() {
      return store.changes.length;
    },
    tree: (rootId = store.rootId) => treeOf(store, rootId),
    pick: (fileId, { below = false } = {}) => see(fileId, true, below),
    unpick: (fileId) => see(fileId, false, true),
    setCanEdit(fileId, canEdit) {
      const file = get(store, fileId);
      file.canEdit = canEdit;
      store.touch(file, null);
    },
    faults,
    notifications: channels.notifications,
    channels: channels.live,
    get storageLimit() {
      return store.storageLimit;
    },
    set storageLimit(bytes) {
      store.storageLimit = bytes;
    },
    get storageUsed() {
      return store.used;
    },
    get clockOffsetMs() {
      return store.clockOffsetMs;
    },
    set clockOffsetMs(ms) {
      store.clockOffsetMs = ms;
    },
    now: store.now,
    loseTokens() {
      api.pages.clear();
      api.tokenBase += store.changes.length + 1;
    },
    get expiredTokenStatus() {
      return api.expiredTokenStatus;
    },
    set expiredTokenStatus(status) {
      api.expiredTokenStatus = status;
    },
    loseUploads: () => api.uploads.clear(),
    get trashListsDescendants() {
      return store.trashListsDescendants;
    },
    set trashListsDescendants(value) {
      store.trashListsDescendants = value;
    },
    get tellsSha256() {
      return api.tellsSha256;
    },
    set tellsSha256(value) {
      api.tellsSha256 = value;
    },
    requests,
    get maxAtOnce() {
      return maxAtOnce;
    },
    set maxAtOnce(value) {
      maxAtOnce = value;
    },
    async restart(downMs = 0) {
      await end();
      await pause(downMs);
      await listen(port);
    },
    close: end,
  };
}
