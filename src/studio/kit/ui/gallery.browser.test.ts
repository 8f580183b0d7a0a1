import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../../test/support/until.ts';
import { focusAfter } from '../../testing/focus-after.ts';
import { type HarnessOptions, noAxeFaults, openHarness } from '../../testing/harness.ts';

const open = (t: TestContext, options?: HarnessOptions) =>
  openHarness(t, import.meta.url, './gallery.harness.tsx', options);

const given = (page: Page): Promise<unknown[]> => page.evaluate(() => window.given);

for (const colorScheme of ['light', 'dark'] as const)
  test(`no faults of accessibility, ${colorScheme}, with each overlay open`, async (t) => {
    const page = await open(t, { colorScheme, reducedMotion: 'reduce' });
    await noAxeFaults(page);
    for (const name of ['Open dialog', 'Open sheet', 'Open menu', 'Open popover']) {
      await page.getByRole('button', { name }).click();
      await page.locator('[role=dialog], [role=menu]').first().waitFor();
      await noAxeFaults(page);
      await page.keyboard.press('Escape');
      await page.locator('[role=dialog], [role=menu]').first().waitFor({ state: 'detached' });
    }
  });

test('with more contrast and in forced colours, too', async (t) => {
  for (const options of [{ contrast: 'more' }, { forcedColors: 'active' }] as const) {
    const page = await open(t, options);
    await noAxeFaults(page);
  }
});

test('buttons work by keyboard, and not while they are disabled', async (t) => {
  const page = await open(t);
  await page.getByRole('button', { name: 'Save' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  assert.deepEqual(await given(page), ['saved', 'saved']);
  assert.ok(await page.getByRole('button', { name: 'Disabled' }).isDisabled());
});

test('an icon alone has a name, and a tooltip on focus', async (t) => {
  const page = await open(t);
  await page.getByRole('button', { name: 'Add a field' }).focus();
  await page.keyboard.press('Tab');
  await page.getByRole('tooltip', { name: 'More' }).waitFor();
});

test('a link of the app goes through the router', async (t) => {
  const page = await open(t);
  await page.getByRole('link', { name: 'Bell Stair' }).click();
  assert.deepEqual(await given(page), ['#bell']);
});

test('the focus of the keyboard is always seen', async (t) => {
  const page = await open(t);
  const hidden: string[] = [];
  for (let step = 0; step < 30; step += 1) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(() => {
      const focused = document.activeElement;
      if (!focused || focused === document.body) return undefined;
      const ringed = [
        focused,
        focused.parentElement,
        ...(focused.closest('label')?.querySelectorAll('*') ?? []),
      ];
      const isSeen = ringed.some((element) => element && getComputedStyle(element).outlineStyle !== 'none');
      return isSeen ? undefined : focused.outerHTML.slice(0, 200);
    });
    if (name !== undefined) hidden.push(name);
  }
  assert.deepEqual(hidden, []);
});

test('text fields give what is typed, and not what is read only or disabled', async (t) => {
  const page = await open(t);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Mira');
  await page.getByRole('textbox', { name: 'Summary' }).fill('one\ntwo\nthree\nfour\nfive');
  assert.deepEqual(await given(page), ['Mira', 'one\ntwo\nthree\nfour\nfive']);
  const height = (await page.getByRole('textbox', { name: 'Summary' }).boundingBox())?.height ?? 0;
  assert.ok(height > 100, 'it grows with its text');
  assert.ok(await page.getByRole('textbox', { name: 'Disabled' }).isDisabled());
  assert.equal(await page.getByRole('textbox', { name: 'Read only' }).getAttribute('readonly'), '');
});

test('a dialog holds the focus, closes by Escape and gives it back', async (t) => {
  const page = await open(t);
  const opener = page.getByRole('button', { name: 'Open dialog' });
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New character' });
  await dialog.waitFor();
  assert.ok(
    await dialog
      .getByRole('textbox', { name: 'Its name' })
      .evaluate((input) => input === document.activeElement),
  );
  for (let step = 0; step < 6; step += 1) await page.keyboard.press('Tab');
  assert.ok(await dialog.evaluate((element) => element.contains(document.activeElement)));
  const focused = await focusAfter(page, '[role="dialog"]');
  await page.keyboard.press('Escape');
  assert.equal(await focused(), 'Open dialog');
});

test('a question that hurts is an alert and does not close by a click beside it', async (t) => {
  const page = await open(t);
  await page.getByRole('button', { name: 'Open alert' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete Mira Vale?' });
  await dialog.waitFor();
  await page.mouse.click(5, 5);
  assert.equal(await dialog.count(), 1);
  await dialog.getByRole('button', { name: 'Keep' }).click();
  await dialog.waitFor({ state: 'detached' });
});

test('a menu goes by arrows and letters, over what is disabled', async (t) => {
  const page = await open(t);
  await page.getByRole('button', { name: 'Open menu' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
  const focused = await focusAfter(page, '[role="menu"]');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await until(async () => (await given(page)).includes('delete'));
  assert.deepEqual(await given(page), ['delete']);
  assert.equal(await focused(), 'Open menu');
});

test('tabs go by arrows and open by Enter', async (t) => {
  const page = await open(t);
  await page.getByRole('tab', { name: 'Text & fields' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('tabpanel').getByText('Here is references').waitFor();
});

test('what is announced is said to screen readers alone', async (t) => {
  const page = await open(t);
  await page.getByRole('button', { name: 'Make the first' }).click();
  await page.locator('[aria-live=polite]', { hasText: 'Made' }).waitFor({ state: 'attached' });
});
