import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesIn, filesOfWorld } from './files.ts';
import { noAxeFaults, shareStudio } from './studio.ts';

const BIN = '/w/default/-/recycle-bin';
const BO = { email: 'bo@example.com', password: 'another long phrase', display_name: 'Bo' };

const shared = shareStudio();

test('what was deleted is found by name, comes back, or goes for good', async (t) => {
  const studio = await shared(t);
  const before = filesOfWorld(studio.content);
  const page = await studio.openAsOwner(BIN);
  await page.getByRole('heading', { name: 'The bin is empty' }).waitFor();
  for (const entity of ['biome/chalk_downs', 'character/kaethe_broemmel', 'item/brine_lamp'])
    assert.equal((await page.request.delete(`/api/entity/${entity}`)).status(), 200);
  await page.reload();
  await page.getByText('3 deleted entries').waitFor();
  await noAxeFaults(page);

  await page.getByRole('searchbox', { name: 'Search by name' }).fill('kathe brom');
  await page.getByText('1 of 3 deleted entries').waitFor();
  await page.getByRole('button', { name: 'Restore Käthe Brömmel' }).click();
  await page.getByText('Käthe Brömmel is back.').first().waitFor();
  await page.getByRole('heading', { name: 'Nothing deleted is named “kathe brom”' }).waitFor();
  assert.equal((await page.request.get('/api/entity/character/kaethe_broemmel')).status(), 200);

  await page.getByRole('button', { name: 'Clear the search' }).click();
  await page.getByRole('button', { name: 'Delete The Chalk Downs for good' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('2 deleted entries').waitFor();
  await page.getByRole('button', { name: 'Delete The Chalk Downs for good' }).click();
  await question.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByText('1 deleted entry').waitFor();

  await page.getByRole('button', { name: 'Empty the bin' }).click();
  await question.getByRole('button', { name: 'Empty the bin' }).click();
  await page.getByRole('heading', { name: 'The bin is empty' }).waitFor();
  const isPurged = (path: string) => /(?:chalk_downs|brine_lamp)(?:$|\/)/.test(path);
  assert.deepEqual(
    filesOfWorld(studio.content),
    Object.fromEntries(Object.entries(before).filter(([path]) => !isPurged(path))),
    'what came back is as it was',
  );
  assert.deepEqual(
    Object.keys(filesIn(studio.content)).filter((path) => /_RecycleBin.*\.md$/.test(path)),
    [],
  );
});

test('an id that is in use again keeps its item in the bin, and viewers see no buttons', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner(BIN, { expected: [/409/] });
  await page.request.delete('/api/entity/item/tide_clapper');
  await page.request.post('/api/entity/item', {
    data: { entity_id: 'tide_clapper', name: 'Another tongue' },
  });
  await page.reload();
  await page.getByRole('button', { name: 'Restore The Tongue of Old Marrow' }).click();
  await page.getByRole('alert').filter({ hasText: "item 'tide_clapper' exists again" }).waitFor();

  const viewer = await studio.openAs(BO, 'viewer', BIN);
  await viewer.getByText('1 deleted entry').waitFor();
  assert.equal(await viewer.getByRole('button', { name: /Restore|Delete|Empty/ }).count(), 0);
});
