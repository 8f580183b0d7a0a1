import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/support/properties.ts';
import { parseTemplate, templateFileName } from '../template/index.ts';
import {
  classifyPath,
  entityFilePath,
  entityFolder,
  hasPreview,
  mainFileOf,
  mimeTypeOf,
  typeFolders,
} from './index.ts';

function templateOf(type: string) {
  const path = `_Templates/Standard/${templateFileName(type)}`;
  const parsed = parseTemplate({ path, text: `---\nentity_type: ${type}\n---\n` });
  assert.ok(parsed.ok);
  return parsed.template;
}

const CHARACTER = templateOf('character');
const FOLDERS = typeFolders([CHARACTER, templateOf('style_bible')]);

function classOf(path: string): unknown[] {
  const { entry_type, entity_type, entity_id, role } = classifyPath(path, FOLDERS);
  return [entry_type, entity_type, entity_id, role];
}

test('paths are classified by folder', () => {
  const cases: [string, unknown[]][] = [
    ['Characters/ada/CH_ada.md', ['markdown', 'character', 'ada', 'entity']],
    ['Characters/ada/odd name.MD', ['markdown', 'character', 'ada', 'entity']],
    ['Characters/ada/images/a.png', ['asset', 'character', 'ada', 'asset']],
    ['Characters/ada/data/notes.md', ['markdown', 'character', 'ada', 'asset']],
    ['Characters/ada/raw.bin', ['asset', 'character', 'ada', 'asset']],
    ['Characters/loose.md', ['markdown', 'character', null, 'other']],
    ['StyleBibles/noir/STY_noir.md', ['markdown', 'style_bible', 'noir', 'entity']],
    ['characters/ada/CH_ada.md', ['markdown', null, null, 'other']],
    ['_Templates/Standard/CHARACTER_TEMPLATE.md', ['template', null, null, 'template']],
    ['_Templates/Custom/SHIP_TEMPLATE.md', ['template', null, null, 'template']],
    ['_Templates/Standard/notes.md', ['other', null, null, 'other']],
    ['_Templates/Other/SHIP_TEMPLATE.md', ['other', null, null, 'other']],
    ['_Rules/CHARACTER_RULES.md', ['rule', null, null, 'rule']],
    ['_Rules/deep/CHARACTER_RULES.md', ['other', null, null, 'other']],
    ['_Skills/namer.yml', ['other', null, null, 'skill']],
    ['_Skills/namer.yaml', ['other', null, null, 'skill']],
    ['_RecycleBin/Characters/ada/CH_ada.md', ['other', null, null, 'recycled']],
    ['_Plugins/map/plugin.json', ['other', null, null, 'plugin']],
    ['_Else/x.md', ['other', null, null, 'other']],
    ['Assets/cover.png', ['asset', null, null, 'asset']],
    ['Assets/theme.flac', ['asset', null, null, 'asset']],
    ['Assets/map.TIF', ['asset', null, null, 'asset']],
    ['README.md', ['markdown', null, null, 'other']],
    ['.git/config', ['other', null, null, 'other']],
    ['Characters/ada/images/Thumbs.db', ['other', null, null, 'other']],
    ['Characters/ada/Desktop.ini', ['other', null, null, 'other']],
    ['Characters/ada/.CH_ada.md.tmp', ['other', null, null, 'other']],
  ];
  for (const [path, expected] of cases) assert.deepEqual(classOf(path), expected, path);
});

test("an entity's own path leads back to its type and id", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9][a-z0-9_]{0,30}$/), (id) => {
      const path = entityFilePath(CHARACTER, id);
      assert.ok(path.startsWith(`${entityFolder(CHARACTER, id)}/`));
      assert.deepEqual(classOf(path), ['markdown', 'character', id, 'entity']);
    }),
  );
});

test('the main file: specified name, then fitting frontmatter, then the first by name, READMEs last', () => {
  const main = (candidates: { path: string; id?: string; entity_type?: string }[]) =>
    mainFileOf(candidates, CHARACTER, 'ada')?.path;
  const named = { path: 'Characters/ada/CH_ada.md' };
  const other = { path: 'Characters/ada/A.md', id: 'ada' };
  assert.equal(main([other, named]), named.path);
  assert.equal(main([{ path: 'Characters/ada/any.md' }]), 'Characters/ada/any.md');
  assert.equal(main([{ path: 'Characters/ada/0.md' }, other]), other.path);
  assert.equal(
    main([{ path: 'x/b.md' }, { path: 'x/a.md' }, { path: 'x/README.md' }, { path: 'x/_draft.md' }]),
    'x/a.md',
  );
  assert.equal(main([{ path: 'x/README.md', id: 'ada' }, { path: 'x/z.md' }]), 'x/z.md');
  assert.equal(main([]), undefined);
});

test('media types and previews', () => {
  assert.equal(mimeTypeOf('a/B.JPG'), 'image/jpeg');
  assert.equal(mimeTypeOf('a/b.md'), 'text/markdown');
  assert.equal(mimeTypeOf('a.b/c'), null);
  assert.equal(mimeTypeOf('a/.png'), null);
  assert.deepEqual(
    [hasPreview('image/png'), hasPreview('application/pdf'), hasPreview(null)],
    [true, false, false],
  );
});
