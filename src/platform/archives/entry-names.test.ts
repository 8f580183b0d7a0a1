import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { longName, tarGzOf } from '../../../test/support/tar.ts';
import { refusal, unpacked } from '../../../test/support/unpacking.ts';
import { zipOf } from '../../../test/support/zip.ts';

type Name = string | Uint8Array;

const latin1 = (name: string): Buffer => Buffer.from(name, 'latin1');

const FORMATS = [
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

for (const { format, pack } of FORMATS)
  describe(`the names in a ${format}`, () => {
    for (const [what, names] of Object.entries(BAD_PATHS))
      test(`are refused if one ${what}`, async () => {
        for (const name of names) {
          const { code } = await refusal(pack('good', name));
          assert.equal(code, 'bad_path', JSON.stringify(name));
        }
      });

    for (const [what, names] of Object.entries(ALIKE))
      test(`are refused if two ${what}`, async () => {
        assert.equal((await refusal(pack(...names))).code, 'duplicate');
      });

    test('may be whatever every system can hold', async () => {
      const names = [
        'plugin.json',
        'Größe/日本語.txt',
        'e\u0301',
        'a b/c d',
        '.gitignore',
        '.github/x',
        'console/null.txt',
        '..a/...b',
        'com10',
        '~/$x',
        'a'.repeat(255),
        'ä'.repeat(127),
        `${'d/'.repeat(511)}ee`,
        'archive.zip',
        '👩‍🚀'.replaceAll('\u200D', ''),
      ];
      assert.deepEqual(
        Object.keys(await unpacked(pack(...names), { entries: 2000 })).sort(),
        [...names].sort(),
      );
    });

    test('lose a dot at the beginning, and folders are not listed', async () => {
      const files = await unpacked(pack('./', './a/', './a/b', 'c/d'));
      assert.deepEqual(Object.keys(files), ['a/b', 'c/d']);
    });

    test('that systems and version control add are left out', async () => {
      const kept = ['plugin.json', 'a/git', '.gitattributes', 'DS_Store', 'a/_.b'];
      const left = [
        '.DS_Store',
        'a/.DS_Store',
        '__MACOSX/a/._b',
        '._plugin.json',
        '.git/config',
        'a/.git',
        '.GIT/x',
      ];
      const more = [
        '.hg/x',
        '.svn/x',
        'Thumbs.db',
        'a/desktop.ini',
        '@eaDir/x',
        '.Trashes/x',
        '.Spotlight-V100/x',
      ];
      const files = await unpacked(pack(...kept, ...left.filter((name) => name !== '.GIT/x'), ...more));
      assert.deepEqual(Object.keys(files), kept);
      assert.deepEqual(Object.keys(await unpacked(pack('a', '.GIT/x'))), ['a']);
    });

    test('are shown as they can be, and cut', async () => {
      const { entry, message } = await refusal(pack(`\x1b[2J\u202E${'x'.repeat(400)}`));
      assert.equal(entry, `\ufffd[2J\ufffd${'x'.repeat(95)}…`);
      assert.match(message, /^The archive has an entry ".*" with control characters or .*: rename it$/);
      assert.equal((await refusal(pack(latin1('\xff')))).entry, '\ufffd');
    });
  });
