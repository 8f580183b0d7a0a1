import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { before, describe, it } from 'node:test';
import { sha256Hex } from '../../kit/crypto.ts';
import { newItem, type SyncedItem } from './items.store.ts';
import { entityKey, fileKey } from './keys.ts';
import type { Change, Outcome, RemoteItem, Replica } from './replica.ts';

const TEMPLATE_PATH = '_Templates/Custom/CHARACTER_TEMPLATE.md';
const TEMPLATE =
  '---\nid: character_template\nentity_type: character\nfolder_name: Characters\nfile_prefix: CH_\nname: "[Name]"\n---\n\n## Notes\n';
const textOf = (id: string, ...lines: string[]) =>
  `---\nid: ${id}\nentity_type: character\nname: ${id}\n---\n\n${lines.join('\n\n')}\n`;
const pathOf = (id: string) => `Characters/${id}/CH_${id}.md`;

type Present = Extract<RemoteItem, { path: string }>;

const baseOf = (key: string, base: Present | null): SyncedItem => ({
  ...newItem(key),
  ...(base && { sha256: base.sha256, path: base.path, version: base.kind === 'entity' ? base.version : 0 }),
});

const localAt = (path: string, content: string | Uint8Array) => ({
  ...{ sha256: sha256Hex(content), path, row: null, file: null, problem: null },
});

const entity = (id: string, base: Present | null, content: string | null): Change => ({
  base: baseOf(entityKey('character', id), base),
  local: content === null ? undefined : localAt(pathOf(id), content),
  keepsFolder: false,
  content,
});

const file = (path: string, base: Present | null, text: string | null): Change => {
  const content = text === null ? null : Buffer.from(text);
  return {
    base: baseOf(fileKey(path), base),
    local: content ? localAt(path, content) : undefined,
    keepsFolder: false,
    content,
  };
};

/**
 * `open` returns a handle on one project, which is empty at first, as each new round gets one. With `knowsOwn`, a put says the cursor to
 * continue from.
 */
export function replicaConformance(
  name: string,
  open: () => Promise<Replica>,
  { knowsOwn = true }: { knowsOwn?: boolean } = {},
): void {
  describe(`replica: ${name}`, () => {
    let cursor: string;
    before(async () => {
      ({ cursor } = await everything());
      await put(file(TEMPLATE_PATH, null, TEMPLATE));
      ({ cursor } = await everything());
    });

    async function since(from: string | null) {
      const replica = await open();
      const items = new Map<string, RemoteItem>();
      for (let next = from; ; ) {
        const page = await replica.changes(next);
        for (const item of page.items) items.set(item.key, item);
        if (!page.hasMore) return { ...page, items };
        next = page.cursor;
      }
    }
    const everything = () => since(null);

    async function put(...changes: Change[]): Promise<Outcome[]> {
      const reply = await (await open()).put(changes, { cursor, force: true });
      assert.equal(reply?.outcomes.length, changes.length);
      return [...(reply?.outcomes ?? [])];
    }

    /** A replica may take what was written a moment ago for changed once more, so this takes a few tries. */
    async function putAlone(): Promise<{ from: string; own: string }> {
      const replica = await open();
      for (const name of ['own.txt', 'own-2.txt', 'own-3.txt']) {
        const { cursor: from } = await everything();
        assert.equal((await since(from)).items.size, 0);
        const reply = await replica.put([file(name, null, 'own')], { cursor: from, force: false });
        if (reply?.cursor) return { from, own: reply.cursor };
      }
      throw new Error('after no put there was a cursor');
    }
    const kindsOf = (outcomes: readonly Outcome[]) => outcomes.map(({ kind }) => kind);

    async function present(key: string): Promise<Present> {
      const item = (await everything()).items.get(key);
      if (item === undefined || item.kind === 'gone') throw new Error(`${key} is not there`);
      return item;
    }
    const presentEntity = (id: string) => present(entityKey('character', id));
    const presentFile = (path: string) => present(fileKey(path));

    it('has what was put, to the byte, in a list of everything and since a cursor', async () => {
      const text = textOf('ann', 'One.');
      const stored = await put(entity('ann', null, text), file('notes.txt', null, 'ä\n'));
      assert.deepEqual(kindsOf(stored), ['stored', 'stored']);
      const all = await everything();
      for (const { items } of [all, await since(cursor)]) {
        const ann = items.get(entityKey('character', 'ann'));
        assert.equal(ann?.kind === 'entity' && ann.content, text);
        assert.equal(ann?.kind === 'entity' && ann.path, pathOf('ann'));
        const notes = items.get(fileKey('notes.txt'));
        assert.equal(notes?.kind === 'file' && notes.sha256, sha256Hex('ä\n'));
      }
      assert.ok(all.items.has(fileKey(TEMPLATE_PATH)));
    });

    it('has nothing new since its last cursor', async () => {
      const { cursor: last } = await everything();
      assert.equal((await since((await since(last)).cursor)).items.size, 0);
    });

    const itKnowsOwn = knowsOwn ? it : () => {};
    itKnowsOwn('says the cursor where nobody else changed anything', async () => {
      const { from, own } = await putAlone();
      assert.equal((await since(own)).items.size, 0);
      const replica = await open();
      const late = await replica.put([file('late.txt', null, 'late')], { cursor: from, force: false });
      assert.equal(late?.cursor, null);
    });

    it('stores what follows on its own state, and again changes nothing', async () => {
      const first = textOf('ben', 'One.');
      await put(entity('ben', null, first));
      const next = entity('ben', await presentEntity('ben'), textOf('ben', 'Two.'));
      const [stored] = await put(next);
      const ben = await presentEntity('ben');
      assert.deepEqual(stored, { kind: 'stored', version: ben.kind === 'entity' && ben.version });
      assert.deepEqual(kindsOf(await put(next)), ['stored']);
      assert.deepEqual(await presentEntity('ben'), ben);
    });

    it('keeps its own text where an older one overlaps with it', async () => {
      await put(entity('cleo', null, textOf('cleo', 'One.')));
      const base = await presentEntity('cleo');
      const [theirs, ours] = [textOf('cleo', 'Theirs.'), textOf('cleo', 'Ours.')];
      await put(entity('cleo', base, theirs));
      assert.deepEqual(await put(entity('cleo', base, ours)), [{ kind: 'superseded', isMerged: false }]);
      assert.equal((await presentEntity('cleo')).sha256, sha256Hex(theirs));
    });

    it('never writes over bytes of a file that are not the base', async () => {
      await put(file('rules.txt', null, 'one'));
      const base = await presentFile('rules.txt');
      await put(file('rules.txt', base, 'theirs'));
      assert.deepEqual(kindsOf(await put(file('rules.txt', base, 'ours'))), ['superseded']);
      assert.deepEqual(kindsOf(await put(file('rules.txt', base, null))), ['superseded']);
      assert.equal((await presentFile('rules.txt')).sha256, sha256Hex('theirs'));
    });

    it('deletes what is as it was last seen, and an edit of it comes back', async () => {
      await put(entity('dora', null, textOf('dora', 'One.')), file('list.txt', null, 'one'));
      const bases = [await presentEntity('dora'), await presentFile('list.txt')] as const;
      const { cursor: from } = await everything();
      const gone = await put(entity('dora', bases[0], null), file('list.txt', bases[1], null));
      assert.deepEqual(kindsOf(gone), ['stored', 'stored']);
      const { items } = await since(from);
      assert.equal(items.get(entityKey('character', 'dora'))?.kind, 'gone');
      assert.equal(items.get(fileKey('list.txt'))?.kind, 'gone');
      const edit = textOf('dora', 'Two.');
      const back = await put(entity('dora', bases[0], edit), file('list.txt', bases[1], 'two'));
      assert.deepEqual(kindsOf(back), ['stored', 'stored']);
      assert.equal((await presentEntity('dora')).sha256, sha256Hex(edit));
      assert.equal((await presentFile('list.txt')).sha256, sha256Hex('two'));
    });

    it('moves an entity from where it was last seen', async () => {
      const text = textOf('emil', 'One.');
      await put(entity('emil', null, text));
      const base = await presentEntity('emil');
      const to = (folder: string): Change => ({
        ...entity('emil', base, text),
        local: localAt(`Characters/${folder}/CH_emil.md`, text),
      });
      assert.deepEqual(kindsOf(await put(to('here'))), ['stored']);
      assert.deepEqual(kindsOf(await put(to('there'))), ['superseded']);
      assert.equal((await presentEntity('emil')).path, 'Characters/here/CH_emil.md');
    });

    it('lets two entities change places', async () => {
      const texts = { fay: textOf('fay', 'One.'), gil: textOf('gil', 'One.') };
      await put(entity('fay', null, texts.fay), entity('gil', null, texts.gil));
      const [fay, gil] = [await presentEntity('fay'), await presentEntity('gil')];
      const swapped = await put(
        { ...entity('fay', fay, texts.fay), local: localAt('Characters/gil/CH_fay.md', texts.fay) },
        { ...entity('gil', gil, texts.gil), local: localAt('Characters/fay/CH_gil.md', texts.gil) },
      );
      assert.deepEqual(kindsOf(swapped), ['stored', 'stored']);
      assert.equal((await presentEntity('fay')).path, 'Characters/gil/CH_fay.md');
      assert.equal((await presentEntity('gil')).path, 'Characters/fay/CH_gil.md');
    });

    it('gives a new entity another place where its folder is another entity’s', async () => {
      await put(entity('hal', null, textOf('hal', 'One.')));
      const text = textOf('ida', 'One.');
      const crowded = { ...entity('ida', null, text), local: localAt('Characters/hal/CH_ida.md', text) };
      assert.deepEqual(kindsOf(await put(crowded)), ['superseded']);
      const { path } = await presentEntity('ida');
      assert.notEqual(path.split('/')[1], 'hal');
    });

    it('gives the bytes of a file', async () => {
      const path = 'Characters/ann/images/face.png';
      await put(file(path, null, '\x89PNG and more'));
      const item = await presentFile(path);
      if (item.kind !== 'file') throw new Error('it is no file');
      const bytes = await buffer(await (await open()).bytes(item));
      assert.equal(sha256Hex(bytes), item.sha256);
    });
  });
}
