import { type Entry, fromBufferPromise, type Options, openPromise, type ZipFile } from 'yauzl';
import type { Refusal } from '../../content/import/index.ts';
import { type HttpError, invalid, messageOf, tooLarge } from '../../kit/errors.ts';
import { IMPORT_LIMITS, type ImportFile, isHidden, pathFault } from './import-file.ts';

export interface ArchiveContent {
  files: ImportFile[];
  refused: Refusal[];
}

/** No honest file of text or pictures packs so well; below this size it does not matter. */
const MOST_RATIO = 200;
const RATIO_COUNTS_FROM = 1024 * 1024;
const FILE_KIND = 0o170000;
const REGULAR = 0o100000;
const OPTIONS: Options = { lazyEntries: true, autoClose: false, validateEntrySizes: true };

/**
 * Reads the files of a zip into memory; nothing is written. 422 for what is no zip, or names a place outside it; 413 for
 * more files or bytes than an import may have, counted while they are unpacked, whatever the archive says of itself.
 * Links, devices and encrypted files are refused by name.
 */
export async function readArchive(source: string | Uint8Array): Promise<ArchiveContent> {
  const zip = await opened(source);
  try {
    if (zip.entryCount > IMPORT_LIMITS.files)
      throw tooLarge(`The archive has ${zip.entryCount} files; an import may have ${IMPORT_LIMITS.files}`);
    return await readEntries(zip);
  } catch (error) {
    throw toRefusal(error);
  } finally {
    zip.close();
  }
}

async function opened(source: string | Uint8Array): Promise<ZipFile> {
  try {
    return typeof source === 'string'
      ? await openPromise(source, OPTIONS)
      : await fromBufferPromise(Buffer.from(source.buffer, source.byteOffset, source.byteLength), OPTIONS);
  } catch (error) {
    throw toRefusal(error);
  }
}

const toRefusal = (error: unknown): HttpError | unknown =>
  error instanceof Error && error.constructor === Error
    ? invalid(`This archive cannot be read: ${messageOf(error)}`, { code: 'invalid_archive' })
    : error;

async function readEntries(zip: ZipFile): Promise<ArchiveContent> {
  const content: ArchiveContent = { files: [], refused: [] };
  let room = IMPORT_LIMITS.bytes;
  for await (const entry of zip.eachEntry()) {
    const path = entry.fileName;
    const fault = pathFault(path.replace(/\/$/, ''));
    if (fault !== null)
      throw invalid(`The archive was not taken in: in ${JSON.stringify(path.slice(0, 200))} ${fault}`, {
        code: 'unsafe_archive',
      });
    if (path.endsWith('/') || isHidden(path)) continue;
    const reason = whyNot(entry);
    if (reason !== null) {
      content.refused.push({ place: path, reason });
      continue;
    }
    const bytes = await readEntry(zip, entry, room);
    room -= bytes.length;
    content.files.push({ path, bytes });
  }
  return content;
}

function whyNot(entry: Entry): string | null {
  const kind = (entry.externalFileAttributes >>> 16) & FILE_KIND;
  if (kind !== 0 && kind !== REGULAR) return 'it is no regular file but a link or a device';
  if (entry.isEncrypted()) return 'it is encrypted';
  return entry.canDecodeFileData() ? null : 'it is packed by a method that is not known here';
}

async function readEntry(zip: ZipFile, entry: Entry, room: number): Promise<Buffer> {
  const most = Math.min(room, IMPORT_LIMITS.fileBytes);
  const parts: Buffer[] = [];
  let size = 0;
  const stream = await zip.openReadStreamPromise(entry);
  for await (const part of stream) {
    size += (part as Buffer).length;
    const isBomb = size > RATIO_COUNTS_FROM && size > entry.compressedSize * MOST_RATIO;
    if (size > most || isBomb) {
      stream.destroy();
      throw tooLarge(`The archive was not taken in: ${entry.fileName} ${whyTooLarge(size, isBomb)}`, {
        code: 'too_large',
      });
    }
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts, size);
}

function whyTooLarge(size: number, isBomb: boolean): string {
  if (isBomb) return `unpacks to more than ${MOST_RATIO} times its packed size`;
  return size > IMPORT_LIMITS.fileBytes
    ? `is larger than ${IMPORT_LIMITS.fileBytes} bytes`
    : `brings it over ${IMPORT_LIMITS.bytes} bytes`;
}
