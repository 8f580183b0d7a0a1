import { ArchiveError } from './archive-error.ts';

export interface EntryName {
  /** Relative, with `/`, safe on every system. '' is the root. */
  path: string;
  isFolder: boolean;
}

const MOST_BYTES = 1024;
const MOST_NAME_BYTES = 255;
const FAULTS: readonly (readonly [RegExp, string])[] = [
  // A decoder puts this letter where the bytes are no UTF-8.
  [/\ufffd/, 'whose name is not in UTF-8'],
  [/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u, 'with control characters or invisible characters in its name'],
  [/^\//, 'whose path does not begin in the archive but at the root of a disk'],
  [/\\/, 'with a backslash in its name'],
  [/(?:^|\/)(?:\/|$)/, 'with an empty part in its path'],
  [/(?:^|\/)\.{1,2}(?:\/|$)/, 'with a part . or .. in its path'],
  [/[. ](?:\/|$)/, 'with a name that ends with a dot or a space'],
  [/[:<>"|?*]/, 'with one of the characters : < > " | ? * in its name'],
  [
    /(?:^|\/)(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$|clock\$) *(?:[./]|$)/i,
    'with the name of a device of Windows',
  ],
];

/** As an archive spells it: `./` at the start is dropped, `/` at the end is of a folder. Throws `ArchiveError`. */
export function readName(spelled: string): EntryName {
  const inside = spelled.startsWith('./') ? spelled.slice(2) : spelled;
  const isFolder = spelled.endsWith('/');
  if (inside === '' && isFolder) return { path: '', isFolder };
  const path = isFolder && inside !== '/' ? inside.slice(0, -1) : inside;
  const fault = pathFault(path);
  if (fault !== null) throw new ArchiveError('bad_path', `${fault}: rename it`, { entry: spelled });
  return { path, isFolder };
}

function pathFault(path: string): string | null {
  const bytes = Buffer.byteLength(path);
  if (bytes > MOST_BYTES) return `whose path is longer than ${MOST_BYTES} bytes`;
  for (const [pattern, fault] of FAULTS) if (pattern.test(path)) return fault;
  const isLong = (name: string) => Buffer.byteLength(name) > MOST_NAME_BYTES;
  return bytes > MOST_NAME_BYTES && path.split('/').some(isLong)
    ? `with a name of more than ${MOST_NAME_BYTES} bytes`
    : null;
}
