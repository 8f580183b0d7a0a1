import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readArchive } from '../../world/imports/archive.ts';
import { zipOf } from './zip.ts';

test('the service reads the archive that a page makes of a folder', async () => {
  const texts: Record<string, string> = {
    'People/Mira Vale.md': 'Knows [[Käthe]].\n',
    'Bilder/Käthe.md': '',
    'x.md': '\u0000ÿ',
  };
  for (let note = 0; note < 600; note += 1) texts[`Notes/${note}.md`] = 'word '.repeat(note % 7);
  const zip = await zipOf(Object.entries(texts).map(([path, text]) => ({ path, content: new Blob([text]) })));
  const bytes = new Uint8Array(await zip.arrayBuffer());
  const { files, refused } = await readArchive(bytes, { hold: async () => {}, largestText: 1_000_000 });
  assert.deepEqual(refused, []);
  assert.deepEqual(
    files.map(({ path, bytes: content }) => [path, Buffer.from(content).toString()]),
    Object.entries(texts),
  );
});
