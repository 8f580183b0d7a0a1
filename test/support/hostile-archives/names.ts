import { longName, tarGzOf } from '../tar.ts';
import { zipOf } from '../zip.ts';
import type { HostileArchives } from './hostile-archives.ts';

type Name = string | Uint8Array;

export const latin1 = (name: string): Buffer => Buffer.from(name, 'latin1');

/** Archives with entries of such names. */
export const FORMATS = [
  {
    format: 'zip',
    pack: (...names: Name[]) =>
      zipOf(names.map((name) => ({ name, mode: modeOf(name), content: contentOf(name) }))),
  },
  {
    format: 'tar.gz',
    pack: (...names: Name[]) =>
      tarGzOf(
        names.flatMap((name) => [
          longName(name),
          { name: 'x', kind: isFolder(name) ? '5' : '0', content: contentOf(name) },
        ]),
      ),
  },
];

const isFolder = (name: Name): boolean => Buffer.from(name).at(-1) === 0x2f;
const modeOf = (name: Name): number => (isFolder(name) ? 0o040755 : 0o100644);
const contentOf = (name: Name): string => (isFolder(name) ? '' : 'evil');

const BAD_PATHS: Record<string, readonly Name[]> = {
  'leads out': [
    '../evil',
    'a/../../evil',
    'a/..',
    '..',
    './../evil',
    'a/../b',
    '../../../../../../../../tmp/evil/',
  ],
  'is absolute': ['/evil', '/', '//server/share/evil', './/evil'],
  'is of a drive': ['C:evil', 'C:/evil', 'C:\\evil', 'a/C:evil', './c:evil'],
  'is of Windows': ['..\\evil', 'a\\b', '\\\\server\\share\\evil', '\\evil', '\\\\?\\C:\\evil'],
  'is a stream': ['a.txt:evil', 'a::$DATA'],
  'has control characters': ['a\0b', 'a\0', 'a\nb', 'a\tb', '\x7f', 'a\u0085b', '\x1b[2Ja', 'a\rb'],
  'has invisible characters': [
    '\u202Egpj.exe',
    '.g\u200Cit/config',
    '\uFEFFa',
    'a\u2028b',
    'a\u2066b',
    'a\u00ADb',
  ],
  'has empty parts': ['a//b', '', 'a//', './/'],
  'has parts that are dots': ['a/./b', '././a', '.', 'a/.', 'a/...', 'a/.../b'],
  'ends with a dot or space': ['a.', 'a ', 'a./b', 'a /b', 'a /', '. ', '.. /evil'],
  'is of a device': [
    'con',
    'NUL.txt',
    'a/Aux',
    'prn/b',
    'com1',
    'LPT9.tar.gz',
    'com¹',
    'conin$',
    'nul .txt',
    'CLOCK$',
  ],
  'has what Windows forbids': ['a?', 'a*', 'a|b', 'a<b', 'a>b', 'a"b'],
  'is too long': ['a'.repeat(256), `${'ä'.repeat(128)}`, `${'a/'.repeat(512)}b`],
  'is no UTF-8': [
    latin1('gr\xfc\xdfe'),
    latin1('\xff'),
    latin1('\xc0\xae\xc0\xae/evil'),
    latin1('\xed\xa0\x80'),
  ],
};

const ALIKE: Record<string, readonly [Name, Name]> = {
  'are the same': ['a/b', 'a/b'],
  'are the same but for the beginning': ['a/b', './a/b'],
  'are the same folder': ['a/', 'a/'],
  'differ in case': ['a/README', 'a/readme'],
  'differ in the case of a folder': ['A/x', 'a/y'],
  'differ in the case of a Greek letter': ['σας', 'σασ'],
  'differ in a letter that has two capitals': ['straße', 'STRASSE'],
  'differ in a letter that is a capital K': ['\u212A', 'k'],
  'differ in how they are composed': ['é', 'e\u0301'],
  'are a file and a folder': ['a', 'a/b'],
  'are a folder and a file': ['a/b', 'a'],
  'are a file and a folder with an entry': ['a', 'a/'],
  'are a file and a folder further down': ['x/a', 'x/a/b/c'],
  'are a file and a folder in another case': ['A', 'a/b'],
};

/** Archives that must be refused for their names alone. */
export const hostileNames = ({ pack }: (typeof FORMATS)[number]): HostileArchives[] => [
  ...Object.entries(BAD_PATHS).map(([what, names]) => ({
    what: `a name that ${what}`,
    code: 'bad_path' as const,
    archives: names.map((name) => pack('good', name)),
  })),
  ...Object.entries(ALIKE).map(([what, names]) => ({
    what: `two names that ${what}`,
    code: 'duplicate' as const,
    archives: [pack(...names)],
  })),
];
