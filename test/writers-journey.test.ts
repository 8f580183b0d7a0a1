import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ImportResult } from '../src/world/imports/imports.service.ts';
import { snapshot } from './support/cli.ts';
import { startCore, type TestCore } from './support/core.ts';
import { forEachDatabase } from './support/databases.ts';
import { notesVault, type VaultFile, vaultNotes } from './support/notes-vault.ts';

/** The number of notes, and of those that link to one person. */
interface Size {
  notes: number;
  referrers: number;
}
/** Both databases use the same disk. */
const SIZES = { sqlite: { notes: 2_000, referrers: 300 }, postgres: { notes: 400, referrers: 80 } };
const HUB = { title: 'Mira 0', id: 'mira_0', renamed: 'mira_of_the_harbour' };
const LATEST_BIRTH = 1150;
/** Every fourth note is a person, born one after the other. */
const bornLater = ({ notes }: Size): number =>
  vaultNotes(notes).filter(({ type }, index) => type === 'character' && 1100 + (index % 90) > LATEST_BIRTH)
    .length;

interface Entity {
  version: number;
  name: string;
  fields: Record<string, unknown>;
  markdown_body: string;
  merged?: boolean;
}

/** Many notes link to one of the people. */
function vault({ notes, referrers }: Size): VaultFile[] {
  let referring = 0;
  return notesVault(notes).map((file) => {
    const refers = file.path.startsWith('Artefacts/') && referring < referrers;
    if (!refers) return file;
    referring += 1;
    return { ...file, content: `${file.content}\nIt was once held by [[${HUB.title}]].\n` };
  });
}

async function importVault(core: TestCore, size: Size): Promise<void> {
  const { notes: count } = size;
  const reply = await core.call<ImportResult>('POST', '/api/import/smart', { body: { files: vault(size) } });
  assert.equal(reply.status, 200, reply.text.slice(0, 500));
  const { totals, notes, refused, operation } = reply.body;
  assert.deepEqual([totals.notes.total, totals.notes.create, refused], [count, count, []]);
  const { total, kept, mapped, kept_aside, refused: refusedProperties } = totals.properties;
  assert.equal(kept + mapped + kept_aside + refusedProperties, total);
  assert.deepEqual([refusedProperties, total], [0, (count / 4) * (7 + 5 + 5 + 6)]);
  assert.equal(totals.attachments, count / 10);
  assert.deepEqual([operation?.status, operation?.total], ['done', count + count / 10]);
  assert.equal(totals.links.unresolved, count / 50);
  for (const { links } of notes)
    for (const { text } of links.unresolved) assert.match(text, /^\[\[Lost Note/);
}

/** Every line unique to a note, as the content folder has it now. */
function marksIn(contentDir: string): Set<string> {
  const names = readdirSync(contentDir, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.md') && !name.startsWith('_'));
  return new Set(
    files.flatMap((name) => readFileSync(join(contentDir, name), 'utf8').match(/^Mark \d+ of \d+\./m) ?? []),
  );
}

async function checkRules(core: TestCore, size: Size): Promise<void> {
  const rule = {
    id: 'born_in_time',
    category: 'consistency',
    priority: 'high',
    validation_type: 'range',
    applies_to: 'birth_year',
    max: LATEST_BIRTH,
    description: 'Nobody in this book is born after 1150',
  };
  const added = await core.call('POST', '/api/rules/character', { body: rule });
  assert.equal(added.status, 201, added.text);
  for (const project of core.projects.opened()) await core.mirror.whenSettled(project);
  const { body } = await core.call<{
    checked: number;
    findings: { rule_id: string; entity_id: string; file: string; line: number }[];
  }>('POST', '/api/rules/validate/character');
  const late = body.findings.filter((finding) => finding.rule_id === rule.id);
  assert.deepEqual([body.checked, late.length], [size.notes / 4, bornLater(size)]);
  const [first] = late;
  assert.ok(first);
  const line = readFileSync(join(core.contentDir, first.file), 'utf8').split('\n')[first.line - 1];
  assert.match(line ?? '', /^birth_year:/);
  const list = await core.call<{ entities: { is_valid: boolean }[] }>(
    'GET',
    '/api/entity/character?limit=200',
  );
  assert.ok(list.body.entities.some((entity) => !entity.is_valid));
}

async function checkCanon(core: TestCore): Promise<void> {
  const event = {
    entity_id: 'the_flood',
    name: 'The flood',
    status: 'active',
    fields: { year: 1000, participants: [HUB.id] },
  };
  const created = await core.call('POST', '/api/entity/event', { body: event });
  assert.equal(created.status, 201, created.text);
  const { body } = await core.call<{
    findings: { kind: string; evidence: { entity_id: string; file: string; line: number }[] }[];
  }>('POST', '/api/canon/check');
  const early = body.findings.filter(({ kind }) => kind === 'before_start');
  assert.deepEqual(
    early.map(({ evidence }) => evidence.map((side) => side.entity_id).sort()),
    [[HUB.id, 'the_flood'].sort()],
  );
}

async function renameAndBack(core: TestCore, { referrers }: Size): Promise<void> {
  const before = snapshot(core.contentDir);
  const rename = { entity_type: 'character', old_id: HUB.id, new_id: HUB.renamed };
  const run = (body: object) =>
    core.call<{ files: unknown[]; operation: { operation_id: string } }>('POST', '/api/rename-entity', {
      body,
    });
  const dry = await run({ ...rename, dry_run: true });
  assert.ok(dry.body.files.length > referrers, dry.text.slice(0, 300));
  assert.deepEqual(snapshot(core.contentDir), before);
  const renamed = await run(rename);
  assert.equal(renamed.status, 200, renamed.text.slice(0, 500));
  const left = Object.entries(snapshot(core.contentDir)).filter(([, hex]) =>
    /\bmira_0\b/.test(Buffer.from(hex, 'hex').toString('utf8')),
  );
  assert.deepEqual(
    left.map(([path]) => path),
    [],
  );
  const broken = await core.call<{ references: { to_id: string }[] }>('GET', '/api/references/broken');
  assert.ok(broken.body.references.every(({ to_id }) => to_id !== HUB.id && to_id !== HUB.renamed));
  const undone = await core.call('POST', `/api/operations/${renamed.body.operation.operation_id}/undo`);
  assert.equal(undone.body.status, 'done', undone.text.slice(0, 500));
  assert.deepEqual(snapshot(core.contentDir), before);
}

async function mergeTwoEdits(core: TestCore): Promise<void> {
  const url = `/api/entity/character/${HUB.id}`;
  const { body: seen } = await core.call<Entity>('GET', url);
  const edit = (body: object) => core.call<Entity>('PUT', url, { body });
  const one = await edit({ markdown_body: `${seen.markdown_body}\nA line by the first.\n` });
  assert.equal(one.status, 200, one.text);
  const two = await edit({
    base_version: seen.version,
    name: 'Mira of the Harbour',
    markdown_body: `By the second.\n\n${seen.markdown_body}`,
  });
  assert.deepEqual([two.status, two.body.merged], [200, true], two.text);
  assert.match(two.body.markdown_body, /^By the second\.[\s\S]*A line by the first\.\n$/);
  const first = await core.call<Entity>('GET', `${url}/revisions/${seen.version}`);
  assert.equal(first.body.markdown_body, seen.markdown_body);
}

forEachDatabase((name, open) => {
  const size = SIZES[name];
  test(`${size.notes} notes become a world that is checked, renamed in, merged in, and loses nothing (${name})`, {
    timeout: 300_000,
  }, async () => {
    const core = await startCore({ open });
    try {
      await importVault(core, size);
      await checkRules(core, size);
      await checkCanon(core);
      await renameAndBack(core, size);
      await mergeTwoEdits(core);
      assert.equal(marksIn(core.contentDir).size, size.notes);
      const { body } = await core.call('POST', '/api/sync/refresh-all');
      assert.deepEqual([body.created, body.updated, body.deleted], [0, 0, 0]);
    } finally {
      await core.close();
    }
  });
});
