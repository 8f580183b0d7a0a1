import { ArchiveError } from './archive-error.ts';

export interface EntryName {
  /** Relative, with `/`, safe on every system. '' is the root. */
  path: string;
  isFolder: boolean;
}

const MOST_BYTES = 1024;
const MOST_SEGMENT_BYTES = 255;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const DEVICE = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$|clock\$)[ ]*(?:\.|$)/i;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads a name as an archive spells it: `./` before it is dropped, `/` after it is of a folder. Throws `ArchiveError`. */
export function readName(bytes: Uint8Array): EntryName {
  const spelled = decoded(bytes);
  const inside = spelled.startsWith('./') ? spelled.slice(2) : spelled;
  const isFolder = spelled.endsWith('/');
  if (inside === '' && isFolder) return { path: '', isFolder };
  const path = isFolder && inside !== '/' ? inside.slice(0, -1) : inside;
  const fault = pathFault(path);
  if (fault !== null) throw new ArchiveError('bad_path', `${fault}: rename it`, { entry: spelled });
  return { path, isFolder };
}

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    const reason = 'whose name is not in UTF-8: pack the files again with a program that writes such names';
    throw new ArchiveError('bad_path', reason, { entry: bytes, cause: error });
  }
}

function pathFault(path: string): string | null {
  if (UNSEEN.test(path)) return 'with control characters or invisible characters in its name';
  if (path.startsWith('/')) return 'whose path does not begin in the archive but at the root of a disk';
  if (path.includes('\\')) return 'with a backslash in its name';
  if (Buffer.byteLength(path) > MOST_BYTES) return `whose path is longer than ${MOST_BYTES} bytes`;
  for (const segment of path.split('/')) {
    const fault = segmentFault(segment);
    if (fault !== null) return fault;
  }
  return null;
}

function segmentFault(segment: string): string | null {
  if (segment === '') return 'with an empty part in its path';
  if (segment === '.' || segment === '..') return `with the part "${segment}" in its path`;
  if (/[.\x20]$/.test(segment)) return 'with a name that ends with a dot or a space';
  if (/[:<>"|?*]/.test(segment)) return 'with one of the characters : < > " | ? * in its name';
  if (DEVICE.test(segment)) return 'with the name of a device of Windows';
  if (Buffer.byteLength(segment) > MOST_SEGMENT_BYTES)
    return `with a name of more than ${MOST_SEGMENT_BYTES} bytes`;
  return null;
}
