import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FORMATS, hostileNames, latin1 } from '../../../test/support/hostile-archives/names.ts';
import { refusal, unpacked } from '../../../test/support/unpacking.ts';

for (const format of FORMATS)
  describe(`the names in a ${format.format}`, () => {
    const { pack } = format;

    for (const { what, code, archives } of hostileNames(format))
      test(`are refused if it has ${what}`, async () => {
        for (const [index, archive] of archives.entries())
          assert.equal((await refusal(archive)).code, code, `${what} ${index}`);
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
