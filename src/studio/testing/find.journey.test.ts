import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../test/support/until.ts';
import { isKeptInBrowser } from './kept-in-browser.ts';
import { noAxeFaults, type Studio, shareStudio } from './studio.ts';

const shared = shareStudio();

const typeLink = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name });

/** The list of characters in a browser that keeps the types of the world. */
async function openWithKeptTypes(studio: Studio): Promise<Page> {
  const page = await studio.openAsOwner('/w/default/character', { serviceWorkers: 'block' });
  await typeLink(page, 'Characters').waitFor();
  await until(() => isKeptInBrowser(page, 'entities', '"entity_types"'));
  return page;
}

test('a search lists names first, shows where the words are, and leads there', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner('/w/default/-/find?q=mira');
  const characters = page.getByRole('region', { name: 'Characters' });
  const first = characters.getByRole('listitem').first();
  await first.getByText('Mira Vale').waitFor();
  assert.equal(await first.locator('mark').first().textContent(), 'Mira');
  assert.ok((await page.getByRole('main').locator('mark').count()) > 5);
  await noAxeFaults(page);

  await page.getByRole('searchbox').fill('tide reader');
  await page.waitForURL('**/find?q=tide+reader', { waitUntil: 'commit' });
  await page.getByRole('heading', { name: 'Find “tide reader”' }).waitFor();
  await page.getByRole('region', { name: 'Jobs' }).getByRole('link').first().click();
  await page.waitForURL('**/w/default/job/tide_reader', { waitUntil: 'commit' });
  await page.goBack();
  await page.getByRole('heading', { name: 'Find “tide reader”' }).waitFor();
});

test('a search without hits offers near names and something new', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner('/w/default/-/find?q=Mirra%20Wale');
  await page.getByRole('heading', { name: 'Nothing says “Mirra Wale”' }).waitFor();
  await page
    .getByRole('region', { name: 'Names that are near' })
    .getByRole('link', { name: 'Mira Vale' })
    .waitFor();
  await page.getByRole('button', { name: 'Make “Mirra Wale”' }).click();
  await page.getByRole('menuitem', { name: 'Character' }).click();
  // The address of a new entity gives way to that of its draft at once.
  await page.waitForURL('**/w/default/character/new*', { waitUntil: 'commit' });
  assert.equal(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue(), 'Mirra Wale');
});

test('a second visit shows the types it knows at once, and what changed since as soon as the service tells it', async (t) => {
  const studio = await shared(t);
  const page = await openWithKeptTypes(studio);
  const answer = Promise.withResolvers<void>();
  await page.route('**/api/templates/entity-types', async (route) => {
    await answer.promise;
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll('"Characters"', '"People"') });
  });
  await page.reload();
  await typeLink(page, 'Characters').waitFor();
  await page.getByRole('row', { name: /Mira Vale/ }).waitFor();
  answer.resolve();
  await typeLink(page, 'People').waitFor();
});

test('a late answer does not take the place of a newer one', async (t) => {
  const studio = await shared(t);
  const page = await openWithKeptTypes(studio);
  const late = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  let requests = 0;
  await page.route('**/api/templates/entity-types', async (route) => {
    requests += 1;
    const isFirst = requests === 1;
    if (isFirst) await late.promise;
    const response = await route.fetch();
    const name = isFirst ? '"Older"' : '"Newer"';
    await route.fulfill({ response, body: (await response.text()).replaceAll('"Characters"', name) });
    if (isFirst) arrived.resolve();
  });
  await page.reload();
  // Once the socket is open, the types are asked for again.
  await typeLink(page, 'Newer').waitFor();
  late.resolve();
  await arrived.promise;
  await page.waitForTimeout(300);
  await typeLink(page, 'Newer').waitFor();
  assert.equal(await typeLink(page, 'Older').count(), 0);
});

test('rows of a list have the height of the text size that the user chose, however late it comes', async (t) => {
  const studio = await shared(t);
  const page = await openWithKeptTypes(studio);
  const row = (index: number) => page.locator(`[data-row="${index}"]`);
  await page.goto('/me/appearance');
  await page.getByText('130 %', { exact: true }).click();
  const { promise: isShown, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/preferences*', async (route) => {
    await isShown;
    await route.continue();
  });
  await page.goto('/w/default/character');
  await row(1).waitFor();
  release();
  await until(async () => {
    const [first, second] = await Promise.all([row(0).boundingBox(), row(1).boundingBox()]);
    if (!first || !second) return false;
    return first.height > 50 && Math.abs(first.y + first.height - second.y) <= 1;
  });
});
