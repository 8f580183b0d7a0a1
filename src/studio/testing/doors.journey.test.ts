import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noAxeFaults, OWNER, shareStudio } from './studio.ts';

const shared = shareStudio();

test('a newcomer becomes the owner, is shown the ways to begin, signs out and signs in again', async (t) => {
  const studio = await shared(t);
  const page = await studio.open('/');
  await page.getByRole('heading', { name: 'Make yourself the owner' }).waitFor();
  await noAxeFaults(page);
  await page.getByLabel('Your name').fill(OWNER.display_name);
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByLabel('Password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/welcome', { waitUntil: 'commit' });
  await page.getByRole('heading', { name: 'Welcome, Ada' }).waitFor();
  await page.reload();
  await page.getByText('I have a folder of my own').click();
  await page.getByText('CONTENT_DIR=~/world npm start').waitFor();
  await noAxeFaults(page);
  await page.getByRole('link', { name: 'Begin a world of your own' }).click();
  await page.getByRole('dialog', { name: 'New world' }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'Open “Harrow Count”' }).click();
  await page.getByRole('heading', { name: 'What changed' }).waitFor();

  await page.goto('/w/default/character');
  await page.getByRole('link', { name: 'Mira Vale' }).waitFor();
  await noAxeFaults(page);
  await page.getByRole('button', { name: 'You: Ada' }).first().click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to Canonry' }).waitFor();

  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByLabel('Password').fill(OWNER.password);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Mira Vale' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/w/default/character', 'the address was kept');
});

test('a wrong password is said, what was typed stays, and a provider that came to nothing says why', async (t) => {
  const studio = await shared(t);
  const page = await studio.open('/w', { expected: [/status of 401/] });
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByLabel('Password').fill('something else entirely');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page
    .getByRole('alert')
    .filter({ hasText: /password/ })
    .waitFor();
  assert.equal(await page.getByLabel('Email').inputValue(), OWNER.email);

  await page.goto('/?error=account_closed');
  await page.getByRole('alert').filter({ hasText: 'This account is closed' }).waitFor();
  await page.goto('/?error=constructor');
  await page.getByRole('alert').filter({ hasText: 'something went wrong' }).waitFor();
});
