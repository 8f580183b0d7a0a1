import { Header, type HeaderData } from 'tar/header';
import { Pax } from 'tar/pax';
import { ArchiveError, damaged } from './archive-error.ts';
import type { ByteReader } from './byte-reader.ts';
import { type EntryName, readName } from './entry-name.ts';

export interface TarEntry {
  name: EntryName;
  /** Of its bytes, which follow. */
  size: number;
}

const BLOCK = 512;
/** Names and what systems note beside them need far less. */
const MOST_NOTES = 64 * 1024;
const SPARSE = 'that is a sparse file: pack it without the option for these';
const REFUSED: Readonly<Record<string, string>> = {
  Link: 'that is a hard link: pack the file itself, in GNU tar with --hard-dereference',
  SymbolicLink: 'that is a symbolic link: pack the file itself, in tar with -h',
  SparseFile: SPARSE,
};

/** All entries up to the end mark. The caller reads the bytes of each before the next. Throws `ArchiveError`. */
export async function* tarEntries(reader: ByteReader): AsyncGenerator<TarEntry> {
  let forNext: HeaderData = {};
  let forAll: HeaderData = {};
  for (;;) {
    const header = new Header(await reader.take(BLOCK), 0, forNext, forAll);
    if (header.nullBlock) {
      // The second block of the end mark.
      await reader.take(BLOCK);
      return;
    }
    if (!header.cksumValid) throw damaged('has a header whose checksum is wrong');
    switch (header.type) {
      case 'ExtendedHeader':
        forNext = Pax.parse(await readNotes(reader, header), forNext);
        break;
      case 'GlobalExtendedHeader':
        forAll = Pax.parse(await readNotes(reader, header), forAll, true);
        break;
      case 'NextFileHasLongPath':
        forNext = { ...forNext, path: (await readNotes(reader, header)).replace(/\0$/, '') };
        break;
      case 'NextFileHasLongLinkpath':
        await readNotes(reader, header);
        break;
      default: {
        // In a header, a prefix is put even before a path that replaces all of the name.
        const entry = entryOf(header, forNext.path ?? header.path ?? '');
        yield entry;
        await reader.take(paddingOf(entry.size));
        forNext = {};
      }
    }
  }
}

/** The zeros that fill the last block of so many bytes. */
const paddingOf = (size: number): number => -size & (BLOCK - 1);

/** In memory as a whole, since a letter of a name may lie in two pieces. */
async function readNotes(reader: ByteReader, header: Header): Promise<string> {
  const size = sizeOf(header);
  if (size > MOST_NOTES)
    throw new ArchiveError('bad_entry', `with ${size} bytes of notes about it: pack it without them`, {
      entry: header.path ?? '',
    });
  const notes = (await reader.take(size)).toString();
  await reader.take(paddingOf(size));
  if (notes.includes(' GNU.sparse.'))
    throw new ArchiveError('bad_entry', SPARSE, { entry: header.path ?? '' });
  return notes;
}

function entryOf(header: Header, path: string): TarEntry {
  const isFolder = header.type === 'Directory';
  if (!isFolder && header.type !== 'File' && header.type !== 'OldFile') {
    const reason = REFUSED[header.type] ?? 'that is neither a file nor a folder: leave it out';
    throw new ArchiveError('bad_entry', reason, { entry: path });
  }
  return { name: { ...readName(path), isFolder }, size: sizeOf(header) };
}

function sizeOf({ size = Number.NaN, path = '' }: Header): number {
  if (!Number.isSafeInteger(size)) throw damaged('whose size cannot be read', { entry: path });
  return size;
}
