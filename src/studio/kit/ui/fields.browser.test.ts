import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../../test/support/until.ts';
import { focusAfter } from '../../testing/focus-after.ts';
import { type HarnessOptions, noAxeFaults, openHarness } from '../../testing/harness.ts';

const open = (t: TestContext, options?: HarnessOptions) =>
  openHarness(t, import.meta.url, './fields.harness.tsx', options);

const valueIn = (page: Page, name: string): Promise<unknown> =>
  page.evaluate((key) => window.values[key], name);

async function gives(page: Page, name: string, expected: unknown): Promise<void> {
  await until(async () => {
    const value = await valueIn(page, name);
    return JSON.stringify(value) === JSON.stringify(expected);
  }).catch(async () => assert.deepEqual(await valueIn(page, name), expected));
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

describe('fields by keyboard alone', () => {
  test('a number is typed, stepped within its limits and cleared', async (t) => {
    const page = await open(t);
    const age = page.getByRole('textbox', { name: 'Age', exact: true });
    await age.focus();
    await press(page, 'ArrowUp');
    await gives(page, 'Age', 13);
    await press(page, 'PageUp');
    await gives(page, 'Age', 14);
    await age.fill('1,5');
    await gives(page, 'Age', '1,5');
    await press(page, 'Tab');
    await gives(page, 'Age', 1.5);
    await age.fill('');
    await gives(page, 'Age', null);
  });

  test('a text in the place of a number stays as it is until it is edited', async (t) => {
    const page = await open(t);
    const age = page.getByRole('textbox', { name: 'Age when' });
    await age.focus();
    await press(page, 'ArrowUp', 'Tab');
    assert.equal(await age.inputValue(), 'twelve');
    assert.equal(await age.getAttribute('aria-invalid'), 'true');
    assert.match((await age.ariaSnapshot()) ?? '', /twelve/);
  });

  test('a slider goes by steps and to its ends', async (t) => {
    const page = await open(t);
    await page.getByRole('slider', { name: 'Courage' }).focus();
    await press(page, 'ArrowRight');
    await gives(page, 'Courage', 6);
    await press(page, 'End');
    await gives(page, 'Courage', 10);
  });

  test('a select opens, finds by a letter and closes', async (t) => {
    const page = await open(t);
    await page.getByRole('button', { name: /^Role|Choose Role/ }).focus();
    await press(page, 'ArrowDown');
    await page.getByRole('option', { name: 'Mentor' }).waitFor();
    const focused = await focusAfter(page, '[role="listbox"]');
    await press(page, 'a', 'Enter');
    await gives(page, 'Role', 'antagonist');
    assert.equal(await focused(), 'Antagonist');
  });

  test('a button beside a label is its own, also in a select', async (t) => {
    const page = await open(t);
    await page.getByRole('button', { name: 'More about the role' }).click();
    await gives(page, 'Role', 'mentor');
    assert.equal(await page.getByRole('listbox').count(), 0);
  });

  test('radios, a switch and a checkbox', async (t) => {
    const page = await open(t);
    await page.getByRole('radio', { name: 'Holds' }).focus();
    await press(page, 'ArrowRight');
    await gives(page, 'Arc', 'down');
    await page.getByRole('switch', { name: 'Playable' }).focus();
    await press(page, 'Space');
    await gives(page, 'Playable', false);
    await page.getByRole('checkbox', { name: 'Remember' }).focus();
    await press(page, 'Space');
    await gives(page, 'Remember', true);
  });

  test('tags are typed, taken from proposals and removed', async (t) => {
    const page = await open(t);
    await page.getByRole('combobox', { name: 'Skills', exact: true }).focus();
    await page.keyboard.type('whistling');
    await press(page, 'Enter');
    await gives(page, 'Skills', ['listening', 'cooking for forty', 'whistling']);
    await page.keyboard.type('book');
    await press(page, 'ArrowDown', 'Enter');
    await gives(page, 'Skills', ['listening', 'cooking for forty', 'whistling', 'bookkeeping']);
    await press(page, 'Backspace');
    await gives(page, 'Skills', ['listening', 'cooking for forty', 'whistling']);
    await page.keyboard.type('one, two,');
    await gives(page, 'Skills', ['listening', 'cooking for forty', 'whistling', 'one', 'two']);
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await page.getByRole('row', { name: 'cooking for forty' }).focus();
    await press(page, 'Delete');
    await gives(page, 'Skills', ['listening', 'whistling', 'one', 'two']);
  });

  test('of five thousand tags some are shown, and all stay', async (t) => {
    const page = await open(t);
    const hoard = page.getByRole('grid', { name: 'Hoard' });
    assert.equal(await hoard.getByRole('row').count(), 60);
    await page.getByRole('button', { name: '4940 more' }).click();
    await until(async () => (await hoard.getByRole('row').count()) === 260);
    await hoard.getByRole('row', { name: 'coin 1', exact: true }).focus();
    await press(page, 'Delete');
    await until(async () => ((await valueIn(page, 'Hoard')) as string[] | undefined)?.length === 4999);
  });

  test('a combo box proposes, and gives what is picked', async (t) => {
    const page = await open(t);
    const place = page.getByRole('combobox', { name: 'Place' });
    await place.focus();
    await page.keyboard.type('bell');
    await page.getByRole('option', { name: 'Bell Stair' }).waitFor();
    await press(page, 'ArrowDown', 'ArrowDown', 'Enter');
    await gives(page, 'Place', 'bell_stair');
    await gives(page, 'Place text', '');
    await page.keyboard.type('xyz');
    await page.getByText('Nothing has this name').waitFor();
  });

  test('a colour is chosen, written or picked', async (t) => {
    const page = await open(t);
    await page.getByRole('button', { name: 'Ash' }).focus();
    await press(page, 'Space');
    await gives(page, 'Sky', '#8B8780');
    await page.getByRole('textbox', { name: 'Sky', exact: true }).fill('teal');
    await gives(page, 'Sky', 'teal');
    await page.getByLabel('Pick the sky').fill('#112233');
    await gives(page, 'Sky', '#112233');
  });
});

test('what is disabled takes neither focus nor keys', async (t) => {
  const page = await open(t);
  for (const [role, name] of [
    ['textbox', 'Fixed age'],
    ['slider', 'Fixed danger'],
    ['button', /Fixed role/],
    ['radio', 'Protagonist'],
    ['switch', 'Fixed switch'],
    ['combobox', 'Fixed skills'],
    ['textbox', 'Fixed sky'],
  ] as const) {
    const control = page.getByRole(role, { name, exact: true }).last();
    assert.ok(await control.isDisabled(), `${role} ${name}`);
  }
});

test('errors and help belong to their control', async (t) => {
  const page = await open(t);
  for (const [role, name, text] of [
    ['textbox', 'Age', 'In years'],
    ['textbox', 'Age when', 'This is no number. Write 12.'],
    ['slider', 'Fixed danger', 'At most 5'],
    ['radiogroup', 'Pay', 'Choose one'],
    ['switch', 'Playable', 'In the game'],
    ['combobox', 'Hoard', 'Too many'],
    ['textbox', 'Fixed sky', 'Write #aabbcc'],
  ] as const) {
    const control = page.getByRole(role, { name, exact: true });
    const described = await control.evaluate((element) =>
      (element.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? '')
        .join(' '),
    );
    assert.match(described, new RegExp(text), `${role} ${name}`);
  }
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`no faults of accessibility, ${colorScheme}`, async (t) => {
    const page = await open(t, { colorScheme });
    await noAxeFaults(page);
  });

test('a toast is said and stays while it has an action', async (t) => {
  const page = await open(t);
  await page.getByRole('button', { name: 'Show a toast' }).click();
  const news = page.getByRole('region', { name: 'News' });
  await news.getByText('Deleted Mira Vale').waitFor();
  await noAxeFaults(page);
  await news.getByRole('button', { name: 'Undo' }).click();
  await until(async () => (await news.getByText('Deleted Mira Vale').count()) === 0);
});

test('of many toasts with an action the oldest give way', async (t) => {
  const page = await open(t);
  const show = page.getByRole('button', { name: 'Show a toast' });
  const toasts = page.getByRole('region', { name: 'News' }).getByText('Deleted Mira Vale');
  for (let time = 0; time < 6; time += 1) await show.press('Enter');
  await until(async () => (await toasts.count()) === 6);
  for (let time = 0; time < 4; time += 1) await show.press('Enter');
  assert.equal(await toasts.count(), 6);
});

test('from right to left the arrows and the slider turn, and nothing is cut', async (t) => {
  const page = await open(t);
  await page.goto('/?dir=rtl');
  const slider = page.getByRole('slider', { name: 'Courage' });
  await slider.focus();
  await press(page, 'ArrowLeft');
  await gives(page, 'Courage', 6);
  const [mark, label] = await Promise.all([
    page.getByRole('switch', { name: 'Playable' }).locator('xpath=ancestor::label/span[1]').boundingBox(),
    page.getByText('Playable').boundingBox(),
  ]);
  assert.ok(mark && label && mark.x > label.x);
  assert.equal(await isTooWide(page), false);
});

test('on a phone no target is under 24 pixels, buttons have 44, and nothing is wider than the screen', async (t) => {
  const page = await open(t, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.getByRole('button', { name: 'Show a toast' }).waitFor();
  assert.equal(await isTooWide(page), false);
  const sizes = await page
    .locator('button, [role=row], input:not([type=range], [type=checkbox], [type=radio])')
    .evaluateAll((all) =>
      all.map((element) => {
        const { width, height } = element.getBoundingClientRect();
        return { name: element.getAttribute('aria-label') ?? element.textContent, width, height };
      }),
    );
  assert.deepEqual(
    sizes.filter(({ width, height }) => width > 1 && (width < 24 || height < 24)),
    [],
  );
  const button = await page.getByRole('button', { name: 'Show a toast' }).boundingBox();
  assert.ok((button?.height ?? 0) >= 44);
});

const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
