import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DriveServer } from '../drive/drive-server.ts';
import { FOLDER } from '../drive/objects.ts';
import type { TreeEntry } from '../drive/people.ts';
import type { Random } from '../replica/random.ts';
import type { Book } from '../replica/words.ts';
import { wordsIn } from '../replicas/edits.ts';

/** The folder of one case in the drive, and the people who work in it. */
export function createDriveWorld(
  server: DriveServer,
  { random, book, name }: { random: Random; book: Book; name: string },
) {
  const person = server.person('Mira');
  const rootId = server.owner.createFolder(server.rootId, name);
  server.pick(rootId);
  const entries = (): TreeEntry[] => server.tree(rootId);
  const files = () => entries().filter(({ text }) => text !== null);
  // Without templates nothing would be an entity any more.
  const folders = () =>
    entries().filter(({ text, path }) => text === null && /^[^_][^/]*\/[^/]+\//.test(path));

  function edit(): void {
    const file = files().find(() => random.chance(0.2));
    const words = wordsIn(file?.text ?? '');
    if (file === undefined || words.length === 0) return;
    const old = random.pick(words);
    person.edit(file.fileId, (file.text ?? '').replace(`${old}w`, `${book.write(old)}w`));
  }

  /** The words of what goes to the trash stay there. */
  function trash(): void {
    const others = files().filter(({ path }) => !path.startsWith('_Templates/'));
    const entry = [...others, ...folders()].find(() => random.chance(0.1));
    if (entry) person.trash(entry.fileId);
  }

  function untrash(): void {
    const file = server.files().find(({ trashedItself }) => trashedItself && random.chance(0.3));
    if (file) person.untrash(file.id);
  }

  function rename(): void {
    const folder = folders().find(() => random.chance(0.3));
    if (folder) person.rename(folder.fileId, random.pick(['here', 'there', 'elsewhere', 'ada', 'bo']));
  }

  function move(): void {
    const [file, folder] = [files().find(() => random.chance(0.1)), folders().find(() => random.chance(0.3))];
    if (file && folder && !file.path.endsWith('.md')) person.move(file.fileId, folder.fileId);
  }

  function create(): void {
    const folder = folders().find(() => random.chance(0.3));
    person.createFile(folder?.fileId ?? rootId, random.pick(['seen.txt', 'notes.txt']), `${book.write()}w\n`);
  }

  const acts = [edit, edit, edit, edit, trash, untrash, rename, move, create];

  return {
    rootId,
    person,
    /** One act of a person. */
    act: () => random.pick(acts)(),
    /** Latin1 by path, with the names that equal ones get here. */
    tree: () => treeBelow(server, rootId, ''),
    /** Everything that the drive ever kept, such as its revisions and its trash. */
    kept: (): string[] =>
      server.files().flatMap(({ revisions }) => revisions.map(({ content }) => content.toString('latin1'))),
    size: (): number => server.changeCount,
  };
}

export type DriveWorld = ReturnType<typeof createDriveWorld>;

function treeBelow(server: DriveServer, folderId: string, above: string): Map<string, string> {
  const children = server
    .files()
    .filter(({ parentId, trashedItself }) => parentId === folderId && !trashedItself)
    .sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
  const names = new Set(children.map(({ name }) => name));
  const used = new Set<string>();
  const found = new Map<string, string>();
  for (const { id, name, revisions, mimeType } of children) {
    let own = name;
    for (let number = 2; used.has(own) || (own !== name && names.has(own)); number += 1)
      own = name.replace(/(?=\.\w+$)|$/, `_${number}`);
    used.add(own);
    const path = `${above}${own}`;
    if (mimeType === FOLDER) for (const [at, text] of treeBelow(server, id, `${path}/`)) found.set(at, text);
    else found.set(path, revisions.at(-1)?.content.toString('latin1') ?? '');
  }
  return found;
}

/** Both sides of conflicts that wait in a project's folder. */
export function conflictTexts(folder: string): string[] {
  const conflicts = join(folder, '.canonry', 'conflicts');
  if (!existsSync(conflicts)) return [];
  return readdirSync(conflicts, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name), 'latin1')] : [],
  );
}
