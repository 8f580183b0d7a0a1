import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noAxeFaults, startStudio } from './studio.ts';

const BO = { email: 'bo@example.com', password: 'another long phrase', display_name: 'Bo' };

test('a new world is made and named, and is the one that opens next time', async (t) => {
  const studio = await startStudio(t);
  const page = await studio.openAsOwner('/w?begin=sample');
  const form = page.getByRole('dialog', { name: 'New world' });
  assert.ok(await form.getByRole('radio', { name: 'The sample world' }).isChecked());
  await noAxeFaults(page);
  await form.getByRole('textbox', { name: 'Name' }).fill('Low Water');
  await form.getByText('The usual types').click();
  const remembered = page.waitForResponse(
    (reply) => reply.request().method() === 'PATCH' && reply.url().endsWith('/preferences'),
  );
  await form.getByRole('button', { name: 'Create the world' }).click();
  await page.waitForURL('**/w/low_water', { waitUntil: 'commit' });
  await page.getByRole('heading', { name: 'Low Water', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Characters' }).waitFor();

  await remembered;
  await page.goto('/');
  await page.waitForURL('**/w/low_water', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'World: Low Water' }).click();
  await page.getByRole('menuitem', { name: 'All worlds' }).click();
  await page.getByRole('link', { name: 'Harrow Count' }).waitFor();
  await page.getByRole('button', { name: 'More about Low Water' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('High Tide');
  await page.getByRole('button', { name: 'Rename it' }).click();
  await page.getByRole('link', { name: 'High Tide' }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'High Tide' }).waitFor();
  await noAxeFaults(page);

  const viewer = await studio.openAs(BO, 'viewer', '/w?begin=sample');
  await viewer.getByRole('link', { name: 'High Tide' }).waitFor();
  assert.equal(await viewer.getByRole('button', { name: /New world|More about/ }).count(), 0);
  assert.equal(await viewer.getByRole('dialog').count(), 0);
});
