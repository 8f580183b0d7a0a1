import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classifyPath, typeFolders } from '../../content/paths/index.ts';
import { parseTemplate } from '../../content/template/index.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import { type FileScanner, FilesError } from '../../platform/files/files.ts';
import { readItem } from './read-item.ts';

const parsed = parseTemplate({
  path: '_Templates/Standard/CHARACTER_TEMPLATE.md',
  text: '---\nentity_type: character\n---\n',
});
assert.ok(parsed.ok);
const { template } = parsed;
const folders = typeFolders([template]);

/** Reads a file with these bytes; more than 20 MB cannot be read at once. */
function read(path: string, bytes: Uint8Array, options: { isMain?: boolean; racy?: boolean } = {}) {
  const { isMain = false, racy = false } = options;
  const scanner: FileScanner = {
    scan: () => [],
    statSync: () => undefined,
    rootExists: () => true,
    readSync() {
      if (bytes.length > 20 * 1024 * 1024) throw new FilesError('io', path, 'too large to hold');
      return bytes;
    },
    digestSync: (_path, headBytes) => ({ sha256: sha256Hex(bytes), head: bytes.subarray(0, headBytes) }),
  };
  const stat = { path, size: bytes.length, mtimeMs: 1_000, ctimeMs: 2_000, ino: 3 };
  const pending = { stat, place: classifyPath(path, folders), template: isMain ? template : null, racy };
  return readItem({ scanner, largestText: 10 * 1024 * 1024 }, pending);
}

const text = (value: string) => new TextEncoder().encode(value);

test('a large asset is hashed without being held', () => {
  const bytes = Buffer.alloc(25_000_000, 'film');
  const item = read('Characters/ada/video/a.mp4', bytes);
  assert.ok(item !== null && 'record' in item);
  assert.deepEqual([item.record.sha256, item.record.entry_type], [sha256Hex(bytes), 'asset']);
});

test('an entity’s file beyond the limit is a problem with a reason, not an error', () => {
  const bytes = Buffer.alloc(25_000_000, 'x');
  const item = read('Characters/ada/CH_ada.md', bytes, { isMain: true });
  assert.ok(item !== null && 'record' in item);
  assert.equal(item.state, null);
  assert.match(item.record.problem ?? '', /has 25000000 bytes; a text may have 10485760/);
});

test('an entity’s file is read with its template; a note beside it belongs to none', () => {
  const main = read('Characters/ada/CH_ada.md', text('---\nid: ada\nname: Ada\n---\n'), { isMain: true });
  assert.ok(main !== null && 'record' in main);
  assert.deepEqual([main.state?.name, main.record.problem], ['Ada', null]);
  const note = read('Characters/ada/notes.md', text('Just notes'));
  assert.ok(note !== null && 'record' in note);
  assert.deepEqual([note.state, note.record.entity_type, note.record.entity_id], [null, 'character', null]);
});

test('a stat that may not tell the next change is not kept', () => {
  const item = read('Characters/ada/images/a.png', text('image'), { racy: true });
  assert.ok(item !== null && 'record' in item);
  assert.deepEqual([item.record.mtimeMs, item.record.ctimeMs], [1_000, 0]);
});
