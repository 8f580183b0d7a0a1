import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { noAxeFaults, shareStudio } from './studio.ts';

const shared = shareStudio();

const HOME = '/w/default';
const BO = { email: 'bo@example.com', password: 'another long phrase', display_name: 'Bo' };

test('home says what changed and by whom, what contradicts itself, and where the user was', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner(HOME);
  const changes = page.getByRole('region', { name: 'What changed' });
  await changes.getByText('new in the folder').waitFor();

  await page.request.put('/api/entity/item/brine_lamp', { data: { name: 'The Brine Lamp' } });
  await page.request.delete('/api/entity/biome/chalk_downs');
  const folder = join(studio.content, 'Characters/wren');
  mkdirSync(folder);
  writeFileSync(join(folder, 'CH_wren.md'), '---\nid: wren\nname: Wren\n---\n');
  await until(async () => (await page.request.get('/api/entity/character/wren')).ok());
  await page.reload();
  const rowOf = (name: string) => changes.getByRole('listitem').filter({ hasText: name }).first();
  await rowOf('The Brine Lamp').getByText('changed by you').waitFor();
  await rowOf('The Chalk Downs').getByText('deleted by you').waitFor();
  await rowOf('Wren').getByText('new in the folder').waitFor();

  await changes.getByRole('link', { name: 'The Brine Lamp' }).click();
  await page.waitForURL('**/w/default/item/brine_lamp', { waitUntil: 'commit' });
  await page.getByRole('link', { name: 'Home' }).click();
  await page
    .getByRole('region', { name: 'Where you were' })
    .getByRole('link', { name: 'The Brine Lamp' })
    .waitFor();

  const findings = page.getByRole('region', { name: 'What contradicts itself' });
  await findings.getByRole('button', { name: 'Check now' }).click();
  await findings.getByText(/Checked now|\d contradictions?/).waitFor();
  await noAxeFaults(page);
});

test('a contradiction leads from home to its field', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner(HOME);
  const file = join(studio.content, 'Characters/mira_vale/CH_mira_vale.md');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^birth_year: .*$/m, 'birth_year: 409'));
  await page.request.post('/api/entity/sync/character');
  const findings = page.getByRole('region', { name: 'What contradicts itself' });
  await findings.getByRole('button', { name: 'Check now' }).click();
  await findings.getByText(/\d+ contradictions?/).waitFor();
  const first = findings.getByRole('listitem').first().getByRole('link');
  assert.match((await first.getAttribute('href')) ?? '', /^\/w\/default\/[a-z_]+\/[a-z0-9_]+\?field=/);
});

test('a line stands where the user was last here', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner('/me/appearance');
  await until(async () => {
    const { items } = await (await page.request.get('/api/activity')).json();
    return items.length > 40;
  });
  const now = Date.now();
  const trail = { seen: now, before: now, recent: [] };
  await page.request.patch('/api/users/preferences', { data: { studio_trails: { default: trail } } });
  await page.goto(HOME);
  await page.getByText('Nothing changed since you were last here').waitFor();

  await page.request.put('/api/entity/character/tobin_sark', { data: { name: 'Tobin the Sark' } });
  await page.reload();
  const rows = page.getByRole('region', { name: 'What changed' }).getByRole('listitem');
  await rows.filter({ hasText: 'You were last here' }).waitFor();
  const texts = await rows.allInnerTexts();
  assert.match(texts[0] ?? '', /Tobin the Sark/);
  assert.match(texts[1] ?? '', /You were last here/);
});

test('an empty world offers three ways to begin', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner('/w');
  await page.request.post('/api/projects', { data: { id: 'hollow', name: 'Hollow', start: 'starter' } });
  await page.goto('/w/hollow');
  await page.getByRole('heading', { name: 'Hollow' }).waitFor();
  const links = page.getByRole('main').getByRole('listitem').getByRole('link');
  await links.filter({ hasText: 'Look at the sample world' }).waitFor();
  const ways = await links.allInnerTexts();
  assert.deepEqual(
    ways.map((text) => text.split('\n')[0]),
    ['Write the first character', 'Bring notes', 'Look at the sample world'],
  );
  await noAxeFaults(page);
});

test('a world begun with nothing gets its first types from its home', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner('/w');
  await page.request.post('/api/projects', { data: { id: 'bare', name: 'Bare', start: 'empty' } });
  await page.goto('/w/bare');
  const choice = page.getByRole('region', { name: 'Choose the first types' });
  await choice.getByText('Locations (2 types)').click();
  await choice.getByText('Places and the districts they are made of.').waitFor();
  await noAxeFaults(page);
  await choice.getByRole('button', { name: 'Add these types' }).click();
  await page.getByRole('link', { name: 'Write the first' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Low Bridge');
  await page.keyboard.press('Control+s');
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
  for (const type of ['Districts', 'Locations'])
    await page.getByRole('navigation').getByRole('link', { name: type }).first().waitFor();

  await page.request.post('/api/projects', { data: { id: 'barren', name: 'Barren', start: 'empty' } });
  const editor = await studio.openAs(BO, 'editor', '/w/barren');
  await editor.getByText('Somebody who manages its types adds them').waitFor();
  assert.equal(await editor.getByRole('button', { name: 'Add these types' }).count(), 0);
});
