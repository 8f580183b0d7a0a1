import { basename } from 'node:path';
import { convert, htmlOf } from './convert.ts';
import { DOCUMENT, FOLDER, headOf, isFolder, isNativeType, type StoredFile, type User } from './objects.ts';
import { permissionIdOf, type Store } from './store.ts';

/** Acts in the drive's own pages, not through the API. */
export interface Person {
  user: User;
  /** All return the new id. Names may be used twice. */
  createFolder(parentId: string, name: string, options?: NewOptions): string;
  createFile(parentId: string, name: string, content: string | Buffer, options?: NewOptions): string;
  /** A document of the drive's word processor. */
  createDocument(parentId: string, name: string, text: string, options?: NewOptions): string;
  edit(fileId: string, content: string | Buffer): void;
  rename(fileId: string, name: string): void;
  move(fileId: string, parentId: string): void;
  trash(fileId: string): void;
  untrash(fileId: string): void;
  /** For good. */
  remove(fileId: string): void;
  /** Of a native document as Markdown. */
  readText(fileId: string): string;
}

export interface NewOptions {
  /** True if the app sees it, which is the default, as if it was picked. */
  visible?: boolean;
  mimeType?: string;
}

const TYPES: Record<string, string> = {
  md: 'text/markdown',
  txt: 'text/plain',
  html: 'text/html',
  json: 'application/json',
  yaml: 'application/x-yaml',
  png: 'image/png',
  jpg: 'image/jpeg',
  pdf: 'application/pdf',
};

export const userOf = (
  name: string,
  email = `${name.toLowerCase().replace(/\W+/g, '.')}@example.com`,
): User => ({
  displayName: name,
  emailAddress: email,
  permissionId: permissionIdOf(email),
});

export function createPerson(store: Store, user: User): Person {
  const make = (
    parentId: string,
    name: string,
    mimeType: string,
    { visible = true }: NewOptions,
  ): StoredFile => {
    get(store, parentId);
    return store.add({ name, mimeType, parentId, owner: user, isVisible: visible });
  };
  const put = (file: StoredFile, content: string | Buffer, mimeType: string) => {
    const isNative = isNativeType(file.mimeType);
    const bytes = Buffer.from(isNative ? htmlOf(content.toString()) : content);
    store.setContent(file, bytes, isNative ? 'text/html' : mimeType, user);
  };
  return {
    user,
    createFolder: (parentId, name, options = {}) => make(parentId, name, FOLDER, options).id,
    createFile(parentId, name, content, options = {}) {
      const extension = /\.(\w+)$/.exec(basename(name))?.[1]?.toLowerCase() ?? '';
      const mimeType = options.mimeType ?? TYPES[extension] ?? 'application/octet-stream';
      const file = make(parentId, name, mimeType, options);
      put(file, content, mimeType);
      return file.id;
    },
    createDocument(parentId, name, text, options = {}) {
      const file = make(parentId, name, DOCUMENT, options);
      put(file, text, DOCUMENT);
      return file.id;
    },
    edit(fileId, content) {
      const file = get(store, fileId);
      put(file, content, file.mimeType);
    },
    rename(fileId, name) {
      const file = get(store, fileId);
      file.name = name;
      store.touch(file, user);
    },
    move(fileId, parentId) {
      get(store, parentId);
      store.move(get(store, fileId), parentId);
    },
    trash: (fileId) => store.trash(get(store, fileId), true),
    untrash: (fileId) => store.trash(get(store, fileId), false),
    remove: (fileId) => store.remove(get(store, fileId)),
    readText: (fileId) => textOf(get(store, fileId)) ?? '',
  };
}

export function get(store: Store, fileId: string): StoredFile {
  const file = store.files.get(fileId);
  if (!file) throw new Error(`The drive has no file ${fileId}`);
  return file;
}

/** Null for a folder. */
function textOf(file: StoredFile): string | null {
  if (isFolder(file)) return null;
  const content = headOf(file)?.content ?? Buffer.alloc(0);
  return (isNativeType(file.mimeType) ? convert(content, 'text/markdown') : content).toString();
}

/** The first one there with the name that is not in the trash. */
export function fileAt(store: Store, path: string, rootId: string): StoredFile | undefined {
  let found: StoredFile | undefined = get(store, rootId);
  for (const name of path.split('/').filter(Boolean)) {
    if (!found) return undefined;
    found = store.childrenOf(found.id).find((each) => each.name === name && !each.trashedItself);
  }
  return found;
}

export interface TreeEntry {
  fileId: string;
  /** Of a folder with `/` at its end. */
  path: string;
  text: string | null;
}

/** All below a folder that is not in the trash, by path. */
export function treeOf(store: Store, rootId: string): TreeEntry[] {
  const entries = (folderId: string, above: string): TreeEntry[] =>
    store
      .childrenOf(folderId)
      .filter((file) => !file.trashedItself)
      .flatMap((file) => {
        const path = `${above}${file.name}`;
        return isFolder(file)
          ? [{ fileId: file.id, path: `${path}/`, text: null }, ...entries(file.id, `${path}/`)]
          : [{ fileId: file.id, path, text: textOf(file) }];
      });
  const key = ({ path, text }: TreeEntry) => `${path}\n${text}`;
  return entries(rootId, '').sort((a, b) => (key(a) < key(b) ? -1 : Number(key(a) > key(b))));
}
