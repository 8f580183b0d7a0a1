import assert from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { startCore, type TestCore } from '../../../../test/support/core.ts';
import { character, characters, pathOf, startDriveSync } from '../../../../test/support/drive/drive-sync-case.ts';

let core: TestCore;
before(async () => { core = await startCore(); });
after(() => core.close());
const start = async (t: TestContext, options: Parameters<typeof startDriveSync>[1] = {}) => {
  const s = await startDriveSync(core, options);
  t.after(() => s.close());
  return s;
};
const brief = (rs: any[]) => rs.map((r) => JSON.stringify(Object.fromEntries(Object.entries(r).filter(([k, v]: any) => !['started_at','finished_at','requests'].includes(k) && v !== 0 && v !== null && v.length !== 0)))).join(' ');
const names = (t: any) => [...Object.keys(t instanceof Map ? Object.fromEntries(t) : t)].filter((p: string) => !p.startsWith('_Templates'));
function show(s: any, rs: any[] = []) {
  console.log(brief(rs));
  console.log('DRIVE', JSON.stringify(s.paths()));
  for (const i of s.installs) console.log(i.name, JSON.stringify(names(i.disk.tree())), i.errors, 'BIN', i.disk.recycled().length);
}
describe('scratch', () => {
  test('slash', async (t) => {
    const s = await start(t, { installs: 2, files: { ...characters('ada'), 'a/b.txt': 'real\n' } });
    s.person.createFile(s.folderId, 'a/b.txt', 'slashed\n');
    s.person.createFile(s.folderId, '../x.txt', 'dots\n');
    s.person.createFile(s.folderId, '..', 'dots\n');
    s.person.createFile(s.folderId, 'ok.txt', 'ok\n');
    s.person.createFolder(s.folderId, '_Templates/Custom');
    const f = s.person.createFolder(s.folderId, 'x'.repeat(300));
    s.person.createFile(f, 'in.txt', 'in\n');
    s.person.createFile(s.folderId, 'trail. ', 'in\n');
    s.person.createFile(s.folderId, 'e\u0301.txt', 'nfd\n');
    s.person.createFile(s.folderId, 'é.txt', 'nfc\n');
    show(s, await s.settle());
    console.log(s.one.disk.read('a/b.txt'));
    s.one.disk.write('a/b.txt', 'real edited\n');
    show(s, await s.settle());
    console.log(s.one.disk.read('a/b.txt'), s.server.tree(s.folderId).filter(({ path }: any) => path.startsWith('a')));
  });
  test('forbidden delete', async (t) => {
    const s = await start(t, { files: { ...characters('ada', 'bo', 'cy', 'di'), 'n.txt': 'n', 'm.txt': 'm', 'o.txt': 'o', 'p.txt':'p' } });
    s.server.setCanEdit(s.idAt('n.txt'), false);
    s.one.disk.remove('n.txt'); s.one.disk.write('new.txt', 'new'); s.one.disk.write('p.txt', 'pp');
    show(s, await s.settle());
  });
  test('forbidden move', async (t) => {
    const s = await start(t, { files: { ...characters('ada', 'bo') } });
    s.server.setCanEdit(s.idAt('Characters/ada'), false);
    s.one.disk.move('Characters/ada', 'Characters/here'); s.one.disk.write('new.txt', 'new');
    show(s, await s.settle());
  });
  test('forbidden folder', async (t) => {
    const s = await start(t, { files: { ...characters('ada', 'bo') } });
    s.server.setCanEdit(s.idAt('Characters'), false);
    s.one.disk.write(pathOf('new'), character('new')); s.one.disk.write('new.txt', 'new');
    show(s, await s.settle());
  });
  test('lost folder, child visible', async (t) => {
    const s = await start(t, { files: { ...characters('ada', 'bo'), 'sub/x.txt': 'x', 'sub/y.txt': 'y', 'sub/z.txt': 'z','o.txt':'o','p.txt':'p','q.txt':'q','r.txt':'r' } });
    const x = s.idAt('sub/x.txt');
    s.server.unpick(s.idAt('sub')); s.server.pick(x);
    show(s, await s.settle());
    s.server.loseTokens();
    show(s, await s.settle());
  });
  test('document beside equal file', async (t) => {
    const s = await start(t, { installs: 2, files: { ...characters('ada', 'bo') } });
    s.person.createDocument(s.folderId, 'notes.txt', 'doc');
    s.one.disk.write('notes.txt', 'file');
    show(s, await s.settle());
    s.person.createFile(s.folderId, 'notes.txt.document.md', 'file named so');
    show(s, await s.settle());
    console.log(s.one.disk.read('notes.txt.document.md'), s.one.disk.read('notes.txt'));
  });
  test('double untrashed', async (t) => {
    const s = await start(t, { installs: 2, files: { ...characters('ada', 'bo') } });
    const old = s.idAt('Characters/ada');
    const f = s.person.createFolder(s.idAt('Characters'), 'copy');
    s.person.createFile(f, 'CH_ada.md', character('ada', 'A copy.'));
    show(s, await s.settle());
    s.person.trash(old);
    show(s, await s.settle());
    s.person.untrash(old);
    show(s, await s.settle());
    console.log(s.one.disk.read(pathOf('ada')), s.one.disk.read(pathOf('ada', 'copy')));
  });
  test('both start', async (t) => {
    const s = await start(t, { installs: 2 });
    for (const i of s.installs) { for (const [p, x] of Object.entries(characters('ada', 'bo', 'cy'))) i.disk.write(p, x); i.disk.write('a/b.txt', 'x'); await i.look(); }
    await Promise.all(s.installs.map((i: any) => i.round()));
    show(s, []);
    show(s, await s.settle());
  });
  test('equal folders', async (t) => {
    const s = await start(t, { installs: 2, files: { ...characters('ada', 'bo') } });
    const f = s.person.createFolder(s.folderId, 'Characters');
    s.person.createFile(f, 'CH_ada.md', 'x');
    show(s, await s.settle());
  });
});
