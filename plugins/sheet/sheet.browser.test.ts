import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { noAxeFaults } from '../../src/studio/testing/axe.ts';
import { until } from '../../test/support/until.ts';
import { fakeCalls } from '../kit/testing/fake-calls.ts';
import { fakeEntity } from '../kit/testing/fake-entity.ts';
import { type HostOptions, openPluginPage } from '../kit/testing/plugin-page.ts';

const entity = (entity_id: string, age: number) => fakeEntity(entity_id, { fields: { age }, version: 3 });

async function open(t: TestContext, more: Partial<HostOptions> = {}) {
  const offered: { name: string; content: unknown }[] = [];
  const updates: unknown[] = [];
  const call = fakeCalls({
    'types.list': () => ({
      entity_types: [{ entity_type: 'character', label: 'Character', folder_name: 'Characters' }],
    }),
    'types.schema': () => ({ properties: { age: { type: 'number' }, motto: { type: 'string' } } }),
    'entities.list': () => ({
      entities: [entity('lena', 30), entity('mira', 40)],
      total: 2,
      limit: 200,
      offset: 0,
    }),
    'files.offer'(args) {
      offered.push(args);
      return null;
    },
    'entities.update'(args) {
      updates.push(args);
      if (args.entity_id === 'mira') throw new Error('somebody was faster');
      return entity('lena', 31);
    },
  });
  const room = { width: 900, height: 700 };
  const hosted = await openPluginPage(t, new URL('.', import.meta.url), {
    html: 'page.html',
    call,
    room,
    ...more,
  });
  return { ...hosted, updates, offered };
}

test('a sheet is saved, edited, looked at, and brought back', async (t) => {
  const { frame, page, updates, offered } = await open(t);
  await frame.getByText('Columns (4)').click();
  await frame.getByLabel('motto').uncheck();
  await frame.getByRole('button', { name: 'Save as CSV' }).click();
  await until(async () => offered.length === 1);
  assert.equal(offered[0]?.name, 'character.csv');
  const text = String(offered[0]?.content);
  assert.equal(
    text,
    '\ufeffid,version,name,status,age\r\nlena,3,lena,active,30\r\nmira,3,mira,active,40\r\n',
  );

  const edited = text.replace('30', '31').replace('40', 'old').replace('mira,active', 'Mira,active');
  await frame.getByLabel('The edited file').setInputFiles({
    name: 'edited.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(edited),
  });
  await frame.getByRole('button', { name: 'Show what would change' }).click();
  await frame.getByText('2 cells of 2 entries would change; 0 rows are as they were.').waitFor();
  await frame.getByText('Line 3: “old” in “age” is no number').waitFor();
  assert.deepEqual(updates, []);
  await noAxeFaults(page);

  await frame.getByRole('button', { name: 'Save 2 entries' }).click();
  await frame.getByText('1 entry was saved, 1 was not.').waitFor();
  await frame.getByText('mira (mira): somebody was faster').waitFor();
  const address = { entity_type: 'character', base_version: 3 };
  assert.deepEqual(updates, [
    { ...address, entity_id: 'lena', fields: { age: 31 } },
    { ...address, entity_id: 'mira', fields: { name: 'Mira' } },
  ]);
});

test('files of Excel are read in the encoding that they have', async (t) => {
  const { frame, page, updates } = await open(t);
  const rows = 'id\tversion\tmotto\nlena\t3\tGrün, “là”';
  const bring = async (buffer: Buffer) => {
    const file = { name: 'edited.txt', mimeType: 'text/plain', buffer };
    await frame.getByLabel('The edited file').setInputFiles(file);
    await until(async () => (await frame.getByLabel('Or paste it here').inputValue()) === rows);
  };
  const note = frame.getByText('“edited.txt” is not Unicode and was read as Windows-1252.');

  const windows = rows.replace('“', '\x93').replace('”', '\x94');
  await bring(Buffer.from(windows, 'latin1'));
  await note.waitFor();
  await noAxeFaults(page);
  await frame.getByRole('button', { name: 'Show what would change' }).click();
  await frame.getByRole('button', { name: 'Save 1 entry' }).click();
  await until(() => updates.length === 1);
  const address = { entity_type: 'character', entity_id: 'lena', base_version: 3 };
  assert.deepEqual(updates, [{ ...address, fields: { motto: 'Grün, “là”' } }]);

  const bigEndian = Buffer.from(`\ufeff${rows}`, 'utf16le').swap16();
  for (const unicode of [Buffer.from(`\ufeff${rows}`, 'utf16le'), bigEndian, Buffer.from(rows)]) {
    await frame.getByLabel('Or paste it here').fill('');
    await bring(unicode);
    await note.waitFor({ state: 'detached' });
  }
});

test('German, in the dark, with nothing to compare', async (t) => {
  const { frame, page } = await open(t, { theme: 'dark', context: { language: 'de' } });
  await frame.getByText('Spalten (4)').waitFor();
  await frame.getByRole('button', { name: 'Zeigen, was sich ändern würde' }).click();
  await frame.getByText('Füge zuerst eine Tabelle ein, oder öffne eine.').waitFor();
  await noAxeFaults(page);
});
