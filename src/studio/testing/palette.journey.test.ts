import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareStudio } from './studio.ts';

const shared = shareStudio();

test('two keystrokes and Enter lead to an entity, also without a network', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner('/w/default/character', { expected: [/ERR_INTERNET_DISCONNECTED/] });
  await page.getByRole('link', { name: 'Mira Vale' }).waitFor();
  const goToMira = async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('mi');
    await page.getByRole('menuitem', { name: /Mira Vale/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/w/default/character/mira_vale', { waitUntil: 'commit' });
    await page.getByRole('textbox', { name: 'Text of Mira Vale' }).waitFor();
  };
  await goToMira();
  assert.equal(await page.title(), 'Mira Vale');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('first empty');
  await page.getByRole('menuitem', { name: 'Go to the first empty field' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('Death year', { exact: true }).and(page.locator(':focus')).waitFor();

  await page.keyboard.press('Control+k');
  await page.keyboard.type('subtr');
  await page.getByRole('menuitem', { name: 'Mira Vale the Subtracter' }).waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Characters' }).first().click();
  await page.getByRole('link', { name: 'Mira Vale' }).waitFor();
  await page.keyboard.press('/');
  await page.locator('input[type=search]:focus').waitFor();
  await page.getByRole('heading', { name: 'Characters', level: 1 }).click();
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('heading', { name: 'Harrow Count', level: 1 }).waitFor();
  await page.keyboard.press('c');
  await page.keyboard.type('quest');
  await page.getByRole('menuitem', { name: 'New quest', exact: true }).waitFor();
  await page.keyboard.press('Escape');

  await page.context().setOffline(true);
  await goToMira();
});

test('keys that come before the palette count, and so does Enter', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner('/w', { serviceWorkers: 'block' });
  const { promise: isTyped, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/assets/palette-*.js', async (route) => {
    await isTyped;
    await route.continue();
  });
  await page.goto('/w/default/character');
  await page.getByRole('link', { name: 'Mira Vale' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('mi');
  release();
  await page.getByRole('menuitem', { name: /Mira Vale/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/w/default/character/mira_vale', { waitUntil: 'commit' });
});

test('keys that come before the page of a new entry are its name', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner('/w', { serviceWorkers: 'block' });
  const { promise: isTyped, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/assets\/(?:new-entity|entity-page|entity-body)-.*\.js$/, async (route) => {
    await isTyped;
    await route.continue();
  });
  await page.goto('/w/default/character');
  await page.getByRole('link', { name: 'Mira Vale' }).waitFor();
  await page.keyboard.press('c');
  await page.waitForURL('**/-/new/character', { waitUntil: 'commit' });
  await page.keyboard.type('Old Tamm');
  await page.keyboard.press('Backspace');
  release();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.waitFor();
  await page.keyboard.type(' the Younger');
  assert.equal(await name.inputValue(), 'Old Tam the Younger');
});
