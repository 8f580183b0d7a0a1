import { type ZipFile, zipOf } from '../domain/zip.ts';

/** The files that were dropped or chosen: the archive to send, and the facts to show about it. */
export interface Picked {
  name: string;
  archive: Blob;
  /** Null for an archive, which was not looked into. */
  files: number | null;
}

/** The limits of the service for one import. */
const MOST_BYTES = 128 * 1024 * 1024;
const MOST_FILES = 20_000;

export type PickFault = 'nothing' | 'too-large' | 'too-many';

const isZip = ({ name }: File): boolean => /\.zip$/i.test(name);
/** Programs keep their own things there. */
const isHidden = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'));

/** Of an `<input type="file">`, with or without `webkitdirectory`. */
export const pickedFrom = (files: readonly File[]): Promise<Picked | PickFault> =>
  picked(files.map((file) => ({ path: file.webkitRelativePath || file.name, content: file })));

/** Of a drop; folders are read to their ends. */
export async function pickedFromDrop(items: DataTransferItemList): Promise<Picked | PickFault> {
  // The list is empty once the event is over, so that all entries are taken before anything is awaited.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const files: PickedFile[] = [];
  for (const entry of entries) {
    await collect(entry, files);
    if (files.length > MOST_FILES) return 'too-many';
  }
  return picked(files);
}

interface PickedFile extends ZipFile {
  content: File;
}

async function collect(entry: FileSystemEntry, into: PickedFile[]): Promise<void> {
  const path = entry.fullPath.replace(/^\//, '');
  if (isHidden(path) || into.length > MOST_FILES) return;
  if (isFile(entry)) {
    const content = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    into.push({ path, content });
  } else if (isFolder(entry)) {
    for (const each of await entriesOf(entry)) await collect(each, into);
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** A reader gives a hundred at a time, until it gives none. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

async function picked(all: readonly PickedFile[]): Promise<Picked | PickFault> {
  const files = all.filter(({ path }) => !isHidden(path));
  const [first] = files;
  if (!first) return 'nothing';
  if (files.length > MOST_FILES) return 'too-many';
  if (files.reduce((sum, { content }) => sum + content.size, 0) > MOST_BYTES) return 'too-large';
  if (files.length === 1 && isZip(first.content)) {
    return { name: first.content.name, archive: first.content, files: null };
  }
  const folder = folderOfAll(files);
  const within = files.map(({ path, content }) => ({ path: path.slice(folder.length), content }));
  const name = folder === '' ? first.content.name : folder.slice(0, -1);
  return { name, archive: new File([await zipOf(within)], `${name}.zip`), files: files.length };
}

/** The outermost folder, if all lies in one: its name says nothing of the notes. */
function folderOfAll(files: readonly ZipFile[]): string {
  const first = files[0]?.path ?? '';
  const folder = first.slice(0, first.indexOf('/') + 1);
  return files.every(({ path }) => path.startsWith(folder)) ? folder : '';
}
