import { type Entry, fromBufferPromise, type Options, type ZipFile } from 'yauzl';
import type { Refusal } from '../../content/import/index.ts';
import { type HttpError, invalid, messageOf, tooLarge } from '../../kit/errors.ts';
import { isLinkOrDevice, openZip, slimEntry } from '../../platform/archives/zip-file.ts';
import { tooLargeFile } from '../texts/index.ts';
import { IMPORT_LIMITS, type ImportFile, isHidden, isTooLargeText, pathFault } from './import-file.ts';

export interface ArchiveContent {
  files: ImportFile[];
  refused: Refusal[];
}

/** No honest vault compresses so well as a whole; below this size it does not matter. */
const MOST_RATIO = 100;
const RATIO_COUNTS_FROM = 1024 * 1024;
/** Memory per unpacked byte: the bytes themselves, and the result of parsing them. */
const MEMORY_OF_BYTES = 2;
const OPTIONS: Options = { lazyEntries: true, autoClose: false, validateEntrySizes: true };

/**
 * Reads a zip into memory. 422 for an invalid zip or a path outside it; 413 for too many files or bytes, or a suspicious compression
 * ratio, all taken from the directory: no entry may unpack to more. `hold` reserves memory first. Links, devices, encrypted files
 * and notes of more than `largestText` bytes are refused by name.
 */
export async function readArchive(
  source: string | Uint8Array,
  { hold, largestText }: { hold(bytes: number): Promise<void>; largestText: number },
): Promise<ArchiveContent> {
  const zip = await opened(source);
  try {
    if (zip.entryCount > IMPORT_LIMITS.files)
      throw tooLarge(`The archive has ${zip.entryCount} files; an import may have ${IMPORT_LIMITS.files}`);
    const { entries, refused } = await readDirectory(zip, largestText);
    const bytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    refuseTooLarge(entries, bytes, zip.fileSize);
    await hold(bytes * MEMORY_OF_BYTES);
    const files: ImportFile[] = [];
    for (const entry of entries) files.push({ path: entry.fileName, bytes: await readEntry(zip, entry) });
    return { files, refused };
  } catch (error) {
    throw toRefusal(error);
  } finally {
    zip.close();
  }
}

async function opened(source: string | Uint8Array): Promise<ZipFile> {
  try {
    return typeof source === 'string'
      ? await openZip(source, OPTIONS)
      : await fromBufferPromise(Buffer.from(source.buffer, source.byteOffset, source.byteLength), OPTIONS);
  } catch (error) {
    throw toRefusal(error);
  }
}

const toRefusal = (error: unknown): HttpError | unknown =>
  error instanceof Error && error.constructor === Error
    ? invalid(`This archive cannot be read: ${messageOf(error)}`, { code: 'invalid_archive' })
    : error;

async function readDirectory(
  zip: ZipFile,
  largestText: number,
): Promise<{ entries: Entry[]; refused: Refusal[] }> {
  const entries: Entry[] = [];
  const refused: Refusal[] = [];
  for await (const entry of zip.eachEntry()) {
    const path = entry.fileName;
    const fault = pathFault(path.replace(/\/$/, ''));
    if (fault !== null)
      throw invalid(`The archive was not imported: in ${JSON.stringify(path.slice(0, 200))} ${fault}`, {
        code: 'unsafe_archive',
      });
    if (path.endsWith('/') || isHidden(path)) continue;
    const reason = whyNot(entry, largestText);
    if (reason === null) entries.push(slimEntry(entry));
    else refused.push({ place: path, reason });
  }
  return { entries, refused };
}

/** The archive's own size counts as the packed size, since entries may overlap. */
function refuseTooLarge(entries: readonly Entry[], bytes: number, packed: number): void {
  const refuse = (why: string) => tooLarge(`The archive was not imported: ${why}`, { code: 'too_large' });
  const { fileBytes, bytes: most } = IMPORT_LIMITS;
  const large = entries.find(({ uncompressedSize }) => uncompressedSize > fileBytes);
  if (large) throw refuse(`${large.fileName} is larger than ${fileBytes} bytes`);
  if (bytes > most) throw refuse(`it unpacks to ${bytes} bytes; an import may have ${most}`);
  if (bytes > RATIO_COUNTS_FROM && bytes > packed * MOST_RATIO)
    throw refuse(`it unpacks to more than ${MOST_RATIO} times its own size`);
}

function whyNot(entry: Entry, largestText: number): string | null {
  if (isLinkOrDevice(entry)) return 'it is no regular file but a link or a device';
  if (entry.isEncrypted()) return 'it is encrypted';
  if (isTooLargeText(entry.fileName, entry.uncompressedSize, largestText))
    return tooLargeFile(entry.uncompressedSize, largestText).reason;
  return entry.canDecodeFileData() ? null : 'it is packed by a method that is not known here';
}

async function readEntry(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer);
  return Buffer.concat(parts, entry.uncompressedSize);
}
