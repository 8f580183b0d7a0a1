import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { until } from '../../../test/support/until.ts';
import { OWNER, type Studio, shareStudio } from './studio.ts';

const shared = shareStudio();

const BO = { email: 'bo@example.com', password: 'another long pass phrase', display_name: 'Bo' };
const MIRA = '/w/default/character/mira_vale';
const SAVES = '**/api/entity/**';
const wantOf = (page: Page) => page.getByLabel('Want', { exact: true });
const fileOf = ({ content }: Studio) =>
  readFileSync(join(content, 'Characters/mira_vale/CH_mira_vale.md'), 'utf8');

async function signIn(page: Page, { email, password }: typeof OWNER) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
}

/** Ada's page of Mira with words that the service does not get. */
async function openWithUnsaved(studio: Studio, words: string, expected: readonly RegExp[] = []) {
  await studio.add(BO, 'editor');
  // Requests of a page with a service worker pass by the routes of a test.
  const page = await studio.openAsOwner(MIRA, {
    serviceWorkers: 'block',
    expected: [/ERR_FAILED/, ...expected],
  });
  await wantOf(page).waitFor();
  await page.route(SAVES, (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
  await wantOf(page).fill(words);
  return page;
}

test('a sign-out with unsaved changes asks, and the next account neither sees nor sends them', async (t) => {
  const studio = await shared(t);
  const page = await openWithUnsaved(studio, 'To sleep.');
  await page.getByRole('button', { name: 'You: Ada' }).first().click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const question = page.getByRole('alertdialog', { name: 'Sign out?' });
  await question.waitFor();
  await question.getByText('One entry has changes that are not saved').waitFor();
  // The sign-out does not overtake what the page asks for: the service would refuse that.
  await page.route('**/api/projects**', async (route) => {
    await pause(500);
    await route.continue();
  });
  await page.route('**/api/auth/web/logout', async (route) => {
    const response = await route.fetch();
    await pause(1_000);
    await route.fulfill({ response });
  });
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await question.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to Canonry' }).waitFor();
  await page.unroute(SAVES);

  await signIn(page, BO);
  await wantOf(page).waitFor();
  assert.notEqual(await wantOf(page).inputValue(), 'To sleep.');
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await page.getByRole('button', { name: 'You: Bo' }).first().click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to Canonry' }).waitFor();
  assert.doesNotMatch(fileOf(studio), /To sleep\./);

  await signIn(page, OWNER);
  await until(() => fileOf(studio).includes('To sleep.'));
});

test('a tab in which another account signs in takes all tabs along, without their drafts', async (t) => {
  const studio = await shared(t);
  // A tab waits for what it asked itself; what another one asks at that moment may be refused.
  const page = await openWithUnsaved(studio, 'To wake.', [/status of 401/]);
  const other = await page.context().newPage();
  await other.goto('/w');
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to Canonry' }).waitFor();
  await page.unroute(SAVES);

  await signIn(other, BO);
  await page.getByRole('button', { name: 'You: Bo' }).first().waitFor();
  await wantOf(page).waitFor();
  assert.notEqual(await wantOf(page).inputValue(), 'To wake.');
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await page.reload();
  await wantOf(page).waitFor();
  assert.doesNotMatch(fileOf(studio), /To wake\./);
});

test('a page writes nothing as the account that has signed in unnoticed', async (t) => {
  const studio = await shared(t);
  const page = await openWithUnsaved(studio, 'To run.', [/status of 409/]);
  const { email, password } = BO;
  assert.ok((await page.request.post('/api/auth/web/login', { data: { email, password } })).ok());
  await page.unroute(SAVES);
  await page.keyboard.press('Control+s');
  await page.getByRole('button', { name: 'You: Bo' }).first().waitFor();
  await wantOf(page).waitFor();
  assert.notEqual(await wantOf(page).inputValue(), 'To run.');
  assert.doesNotMatch(fileOf(studio), /To run\./);
});

test('whoever signs in over the page of somebody else starts afresh', async (t) => {
  const studio = await shared(t);
  const page = await openWithUnsaved(studio, 'To rest.', [/status of 401/]);
  await page.context().clearCookies();
  await page.unroute(SAVES);
  await page.keyboard.press('Control+s');
  const over = page.getByRole('alertdialog', { name: 'Your session has ended' });
  await over.waitFor();
  await page.keyboard.press('Escape');
  await over.waitFor();
  await signIn(page, BO);
  await page.getByRole('button', { name: 'You: Bo' }).first().waitFor();
  await wantOf(page).waitFor();
  assert.notEqual(await wantOf(page).inputValue(), 'To rest.');
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await page.reload();
  await wantOf(page).waitFor();
  assert.doesNotMatch(fileOf(studio), /To rest\./);
});
