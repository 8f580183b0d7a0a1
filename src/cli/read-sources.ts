import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { formatOfPath, type Refusal } from '../content/import/index.ts';
import {
  type ArchiveContent,
  IMPORT_LIMITS,
  isHidden,
  isTooLargeText,
  readArchive,
} from '../world/imports/index.ts';
import { tooLargeFile } from '../world/texts/index.ts';
import { type CliContext, CommandError, yieldToSignals } from './context.ts';

export async function readSources(
  context: CliContext,
  path: string,
  largestText: number,
): Promise<ArchiveContent> {
  if ((await stat(path)).isDirectory()) return readFolder(context, path, largestText);
  if (/\.zip$/i.test(path)) return readArchive(path, { hold: async () => {}, largestText });
  if (formatOfPath(path) === null)
    throw new CommandError(
      `${path} cannot be imported: name a folder, or a .zip, .md, .csv, .tsv or .json file`,
    );
  const reason = await whyNot(path, largestText);
  if (reason !== null) return { files: [], refused: [{ place: basename(path), reason }] };
  return { files: [{ path: basename(path), bytes: await readFile(path) }], refused: [] };
}

async function readFolder(context: CliContext, root: string, largestText: number): Promise<ArchiveContent> {
  const files: ArchiveContent['files'] = [];
  const refused: Refusal[] = [];
  let room: number = IMPORT_LIMITS.bytes;
  for await (const { path, isFile } of entriesOf(root, '')) {
    await yieldToSignals(context);
    const reason = isFile
      ? await whyNot(join(root, path), largestText)
      : 'it is no regular file but a link or a device';
    if (reason !== null) {
      refused.push({ place: path, reason });
      continue;
    }
    const bytes = await readFile(join(root, path));
    room -= bytes.length;
    files.push({ path, bytes });
    if (room < 0 || files.length > IMPORT_LIMITS.files)
      throw new CommandError(
        `${root} is too much for one import, which may have ${IMPORT_LIMITS.files} files and ${IMPORT_LIMITS.bytes} bytes: import folder by folder`,
      );
  }
  return { files, refused };
}

async function whyNot(path: string, largestText: number): Promise<string | null> {
  const { size } = await stat(path);
  if (isTooLargeText(path, size, largestText)) return tooLargeFile(size, largestText).reason;
  return size > IMPORT_LIMITS.fileBytes ? `it is larger than ${IMPORT_LIMITS.fileBytes} bytes` : null;
}

/** Files below a folder in the order of their names; links are not followed. */
async function* entriesOf(root: string, below: string): AsyncGenerator<{ path: string; isFile: boolean }> {
  const entries = await readdir(join(root, below), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (isHidden(entry.name)) continue;
    if (entry.isDirectory()) yield* entriesOf(root, path);
    else yield { path, isFile: entry.isFile() };
  }
}
