import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import fc from '../../../test/support/properties.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import type { SyncReport } from './report.ts';

const IDS = ['ada', 'bob', 'cleo', 'dora', 'eve', 'finn'] as const;
const id = fc.constantFrom(...IDS);
const step = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), id, text: fc.string({ maxLength: 20 }) }),
  fc.record({ kind: fc.constant('claim' as const), id, other: id }),
  fc.record({ kind: fc.constant('break' as const), id }),
  fc.record({ kind: fc.constant('asset' as const), id, text: fc.string({ maxLength: 20 }) }),
  fc.record({ kind: fc.constant('note' as const), id }),
  fc.record({ kind: fc.constant('remove' as const), id }),
  fc.record({ kind: fc.constant('rename' as const), id, other: id }),
  fc.record({ kind: fc.constant('api' as const), id, name: fc.constantFrom('One', 'Two', 'Three') }),
  fc.record({ kind: fc.constant('sync' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function apply(core: TestCore, characters: string, one: Step): Promise<void> {
  if (one.kind === 'sync') {
    await core.call('POST', '/api/sync/refresh-all', { body: { force: true } });
    return;
  }
  const folder = join(characters, one.id);
  const file = join(folder, `CH_${one.id}.md`);
  const put = (text: string) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, text);
  };
  if (one.kind === 'write') put(`---\nid: ${one.id}\nname: ${one.id}\n---\n\n${one.text}`);
  if (one.kind === 'claim') put(`---\nid: ${one.other}\nname: ${one.id}\n---\n`);
  if (one.kind === 'break') put('---\nname: [\n---\n');
  if (one.kind === 'remove') rmSync(folder, { recursive: true, force: true });
  if (one.kind === 'note') {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'a note.md'), 'Only a note.\n');
  }
  if (one.kind === 'asset') {
    mkdirSync(join(folder, 'images'), { recursive: true });
    writeFileSync(join(folder, 'images', 'a.png'), one.text);
  }
  if (one.kind === 'rename') {
    const target = join(characters, one.other);
    if (existsSync(folder) && !existsSync(target)) renameSync(folder, target);
  }
  if (one.kind === 'api') {
    const url = `/api/entity/character/${one.id}`;
    const reply = await core.call('PUT', url, { body: { name: one.name } });
    if (reply.status === 404) {
      await core.call('POST', '/api/entity/character', { body: { entity_id: one.id, name: one.name } });
    }
  }
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

async function assertMirrors(core: TestCore, characters: string, report: SyncReport): Promise<void> {
  const manifest = await core.call<{ entries: { relative_path: string; checksum_sha256: string }[] }>(
    'GET',
    '/api/manifest',
  );
  const known = new Map(
    manifest.body.entries
      .filter((entry) => entry.relative_path.startsWith('Characters/'))
      .map((entry) => [join(core.contentDir, entry.relative_path), entry.checksum_sha256]),
  );
  const onDisk = new Map(filesBelow(characters).map((path) => [path, sha256Hex(readFileSync(path))]));
  assert.deepEqual(new Map([...known].sort()), new Map([...onDisk].sort()));

  const list = await core.call<{ entities: { entity_id: string; file_checksum: string }[]; total: number }>(
    'GET',
    '/api/entity/character?limit=200',
  );
  assert.equal(list.body.total, list.body.entities.length, 'the counts agree with the rows');
  const hashes = new Set([...onDisk.values()].map((hash) => `sha256:${hash}`));
  const invalid = report.invalid.length;
  const strangers = list.body.entities.filter((entity) => !hashes.has(entity.file_checksum));
  assert.ok(strangers.length <= invalid, `${strangers.map((each) => each.entity_id)} mirror no file`);
  const folders = new Set([...onDisk.keys()].map((path) => path.slice(characters.length + 1).split('/')[0]));
  const withMarkdown = [...folders].filter((folder) =>
    readdirSync(join(characters, folder ?? '')).some((name) => name.endsWith('.md')),
  );
  assert.ok(list.body.total + invalid >= withMarkdown.length, 'every folder is an entity or reported');
}

test('whatever is done to the folder and through the API, two syncs make them agree and a third changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
      const core = await startCore();
      try {
        const characters = join(core.contentDir, 'Characters');
        mkdirSync(characters, { recursive: true });
        for (const one of steps) await apply(core, characters, one);
        const sync = async () =>
          (await core.call<SyncReport>('POST', '/api/sync/refresh-all', { body: { force: true } })).body;
        await sync();
        await sync();
        const last = await sync();
        assert.deepEqual([last.status, last.created, last.updated, last.deleted], ['completed', 0, 0, 0]);
        await assertMirrors(core, characters, last);
      } finally {
        await core.close();
      }
    }),
    { numRuns: 25 },
  );
});
