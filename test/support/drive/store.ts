import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../../../src/kit/clock.ts';
import { type Change, FOLDER, isFolder, type Revision, type StoredFile, type User } from './objects.ts';

/** Everything that the drive knows. */
export interface Store {
  account: User;
  rootId: string;
  files: Map<string, StoredFile>;
  /** Ids of children by the parent's id, in the order in which they came there. */
  children: Map<string, Set<string>>;
  changes: Change[];
  /** The index of the newest change of a file. */
  lastChange: Map<string, number>;
  /** Ids from `generateIds` that were not used. */
  reservedIds: Set<string>;
  /** Told of every change. */
  listeners: Set<(change: Change) => void>;
  clockOffsetMs: number;
  /** Bytes of the account; null without a limit. */
  storageLimit: number | null;
  /** Bytes of all revisions that belong to the account. */
  used: number;
  trashListsDescendants: boolean;
  now(): number;
  /** Puts a new file there, without a check. */
  add(file: NewStoredFile): StoredFile;
  /** Notes that a file changed. */
  touch(file: StoredFile, by: User | null): void;
  /** Notes that the app cannot see the file any more, or can again. */
  show(file: StoredFile, isVisible: boolean): void;
  move(file: StoredFile, parentId: string): void;
  trash(file: StoredFile, isTrashed: boolean): void;
  setContent(file: StoredFile, content: Buffer, mimeType: string, by: User): void;
  /** For good, with all that is in it. */
  remove(file: StoredFile): void;
  isTrashed(file: StoredFile): boolean;
  canEdit(file: StoredFile): boolean;
  below(file: StoredFile): IterableIterator<StoredFile>;
  childrenOf(id: string): StoredFile[];
}

export type NewStoredFile = Pick<StoredFile, 'name' | 'mimeType' | 'parentId' | 'owner'> &
  Partial<StoredFile>;

export const newId = (): string => `1${randomBytes(24).toString('base64url')}`;

export const permissionIdOf = (email: string): string =>
  BigInt(`0x${createHash('sha256').update(email).digest('hex').slice(0, 16)}`)
    .toString()
    .padStart(20, '0');

export function createStore(clock: Clock, account: User): Store {
  let version = 0;
  const rootId = `0A${randomBytes(12).toString('base64url')}PVA`;

  const note = (file: StoredFile, wasVisible: boolean) => {
    const change = { fileId: file.id, at: store.now(), driveId: file.driveId, wasVisible };
    store.lastChange.set(file.id, store.changes.push(change) - 1);
    for (const listener of store.listeners) listener(change);
  };

  const change = (file: StoredFile, wasVisible = file.isVisible) => {
    version += 1;
    file.version = version;
    note(file, wasVisible);
  };

  const enter = (file: StoredFile, parentId: string) => {
    file.parentId = parentId;
    const there = store.children.get(parentId) ?? new Set();
    store.children.set(parentId, there.add(file.id));
  };

  const nearest = <Value>(
    file: StoredFile,
    value: (each: StoredFile) => Value | undefined,
  ): Value | undefined => {
    for (let at: StoredFile | undefined = file; at; at = store.files.get(at.parentId ?? '')) {
      const found = value(at);
      if (found !== undefined) return found;
    }
    return undefined;
  };

  const store: Store = {
    account,
    rootId,
    files: new Map(),
    children: new Map(),
    changes: [],
    lastChange: new Map(),
    reservedIds: new Set(),
    listeners: new Set(),
    clockOffsetMs: 0,
    storageLimit: null,
    used: 0,
    trashListsDescendants: false,
    now: () => clock.now() + store.clockOffsetMs,
    add(given) {
      const now = store.now();
      const file: StoredFile = {
        id: newId(),
        driveId: null,
        description: '',
        properties: {},
        appProperties: {},
        trashedItself: false,
        version: 0,
        createdAt: now,
        modifiedAt: now,
        modifiedBy: given.owner,
        revisions: [],
        permissions: [],
        isVisible: true,
        canEdit: null,
        ...given,
      };
      store.files.set(file.id, file);
      if (file.parentId !== null) {
        file.driveId = store.files.get(file.parentId)?.driveId ?? null;
        enter(file, file.parentId);
        change(file);
      }
      return file;
    },
    touch(file, by) {
      if (by) Object.assign(file, { modifiedBy: by, modifiedAt: store.now() });
      change(file);
    },
    show(file, isVisible) {
      const wasVisible = file.isVisible;
      file.isVisible = isVisible;
      change(file, wasVisible || isVisible);
    },
    move(file, parentId) {
      store.children.get(file.parentId ?? '')?.delete(file.id);
      enter(file, parentId);
      const driveId = store.files.get(parentId)?.driveId ?? null;
      if (driveId !== file.driveId) for (const each of [file, ...store.below(file)]) each.driveId = driveId;
      change(file);
    },
    trash(file, isTrashed) {
      file.trashedItself = isTrashed;
      change(file);
      if (store.trashListsDescendants) for (const each of store.below(file)) change(each);
    },
    setContent(file, content, mimeType, by) {
      const modifiedAt = store.now();
      const revision: Revision = {
        id: `0B${randomBytes(30).toString('base64url')}`,
        mimeType,
        content,
        md5: createHash('md5').update(content).digest('hex'),
        sha256: createHash('sha256').update(content).digest('hex'),
        modifiedAt,
        modifiedBy: by,
        originalFilename: file.name,
      };
      file.revisions.push(revision);
      Object.assign(file, { modifiedAt, modifiedBy: by });
      if (file.owner === account) store.used += content.length;
      change(file);
    },
    remove(file) {
      const all = [file, ...store.below(file)];
      store.children.get(file.parentId ?? '')?.delete(file.id);
      for (const each of all) {
        store.files.delete(each.id);
        store.children.delete(each.id);
        if (each.owner === account) for (const { content } of each.revisions) store.used -= content.length;
      }
      for (const each of all) note(each, each.isVisible);
    },
    isTrashed: (file) => nearest(file, (each) => each.trashedItself || undefined) ?? false,
    canEdit: (file) => nearest(file, (each) => each.canEdit ?? undefined) ?? true,
    *below(file) {
      for (const id of store.children.get(file.id) ?? []) {
        const child = store.files.get(id);
        if (!child) continue;
        yield child;
        yield* store.below(child);
      }
    },
    childrenOf: (id) =>
      [...(store.children.get(id) ?? [])].flatMap((childId) => store.files.get(childId) ?? []),
  };
  store.add({ id: rootId, name: 'My Drive', mimeType: FOLDER, parentId: null, owner: account });
  return store;
}

/** True if a folder is the file, or lies in it. */
export function isWithin(store: Store, folderId: string, file: StoredFile): boolean {
  if (!isFolder(file)) return false;
  for (let at: string | null = folderId; at !== null; at = store.files.get(at)?.parentId ?? null)
    if (at === file.id) return true;
  return false;
}
