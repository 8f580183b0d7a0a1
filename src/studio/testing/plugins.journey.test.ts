import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../../test/support/until.ts';
import { installSample, PLUGINS } from './install-sample.ts';
import { noAxeFaults, startStudio } from './studio.ts';

const MIRA = '/w/default/character/mira_vale';
const FILE = 'Characters/mira_vale/CH_mira_vale.md';

const sideOf = (page: Page) => page.frameLocator('iframe[title="At the side (Sample)"]');

const shows = (page: Page, id: string, text: string | RegExp) =>
  sideOf(page).locator(id).filter({ hasText: text }).waitFor();

test('an admin installs a plugin, allows some of what it wants, and it is shown, edits, and is undone', async (t) => {
  const studio = await startStudio(t);
  const page = await installSample(studio, {
    allow: async (page) => {
      await noAxeFaults(page);
      const hosts = page.getByLabel('send requests to hooks.example.com', { exact: false });
      assert.ok(await hosts.isChecked());
      await hosts.press('Space');
      assert.ok(!(await hosts.isChecked()));
    },
  });
  await noAxeFaults(page);
  await page.getByRole('link', { name: 'Sample' }).click();
  await page.getByText('Ada, now').first().waitFor();
  await noAxeFaults(page);
  assert.equal(await page.getByRole('listitem').filter({ hasText: 'not allowed' }).count(), 1);

  await page.goto(MIRA);
  const file = join(studio.content, FILE);
  const before = readFileSync(file, 'utf8');
  await shows(page, '#entity', 'character/mira_vale');
  await shows(page, '#name', /^Mira Vale: To prove/);
  await shows(page, '#theme', 'light');
  await noAxeFaults(page);

  // An edit of the plugin is one of the user, who can take it back.
  await sideOf(page).getByRole('button', { name: 'Edit' }).click();
  const want = page.getByLabel('Want', { exact: true });
  await until(async () => (await want.inputValue()) === 'A plugin’s bell');
  const text = page.getByRole('textbox', { name: 'Text of Mira Vale' });
  await text.filter({ hasText: 'A plugin’s text.' }).waitFor();
  await shows(page, '#name', 'Mira Vale: A plugin’s bell');
  await until(() => readFileSync(file, 'utf8').includes('A plugin’s bell'));
  await page.getByText('Sample changed the fields Want, text.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await shows(page, '#name', /^Mira Vale: To prove/);
  const withoutDay = (content: string) => content.replace(/^last_updated:.*\n/m, '');
  await until(() => withoutDay(readFileSync(file, 'utf8')) === withoutDay(before));

  // Folded is folded, also after another visit.
  const fold = page.getByRole('button', { name: 'At the side' });
  await fold.click();
  await page.locator('iframe').waitFor({ state: 'detached' });
  await page.reload();
  await fold.waitFor();
  await until(async () => (await fold.getAttribute('aria-expanded')) === 'false');
  assert.equal(await page.locator('iframe').count(), 0);
  await fold.click();
  await shows(page, '#theme', 'light');

  // The theme changes without another load of the page.
  await page.emulateMedia({ colorScheme: 'dark' });
  await shows(page, '#theme', 'dark');
  const background = () =>
    sideOf(page)
      .locator('body')
      .evaluate((body) => getComputedStyle(body).backgroundColor);
  await until(async () => (await background()) === 'rgb(24, 22, 19)');
  await page.emulateMedia({ colorScheme: 'light' });
  await until(async () => (await background()) === 'rgb(253, 250, 246)');

  // Others hear of a switch at once.
  const other = await studio.openAs(
    { email: 'bo@example.com', password: 'a long pass phrase', display_name: 'Bo' },
    'editor',
    MIRA,
  );
  // A page that nobody has scrolled to is not loaded.
  const panel = other.getByRole('button', { name: 'At the side' });
  await panel.waitFor();
  assert.equal(await other.locator('iframe').count(), 0);
  await panel.scrollIntoViewIfNeeded();
  await other.locator('iframe[title="At the side (Sample)"]').waitFor();
  await page.goto(PLUGINS);
  await page.getByRole('switch', { name: 'Enable Sample' }).press('Space');
  await page.getByText('Disabled', { exact: true }).waitFor();
  await other.locator('iframe').waitFor({ state: 'detached' });
  assert.equal(await other.getByRole('link', { name: 'Atlas' }).count(), 0);
  await page.goto(`${MIRA}?tab=plugin:sample:tab`);
  await page.getByRole('heading', { name: 'There is no such tab' }).waitFor();
});

interface Answer {
  ok: boolean;
  result?: unknown;
  status?: number;
  detail?: string;
}

/** A page has no token: the host does for it what it and the user may do. */
async function asksTheHost(page: Page): Promise<void> {
  const frame = page.frames().find((each) => each.url().includes('/atlas/')) ?? assert.fail('no frame');
  const call = (name: string, args: object): Promise<Answer> =>
    frame.evaluate(([asked, given]) => window.call(asked, given), [name, args] as const);
  const mira = { entity_type: 'character', entity_id: 'mira_vale' };
  const made = await call('data.create', { record_type: 'counts', data: { ...mira, words: 7 } });
  assert.ok(made.ok, JSON.stringify(made));
  const listed = (await call('data.list', { record_type: 'counts', ...mira })).result as { total: number };
  assert.equal(listed.total, 1);
  assert.deepEqual((await call('settings.get', {})).result, { goal: 500, greeting: 'Hello' });
  await call('settings.set_user', { values: { greeting: 'Good evening' } });
  assert.deepEqual((await call('settings.get', {})).result, { goal: 500, greeting: 'Good evening' });
  const updated = await call('entities.update', { ...mira, fields: { want: 'By a call' } });
  assert.equal((updated.result as { fields: { want: string } }).fields.want, 'By a call');
  const found = (await call('entities.search', { query: 'Mira', limit: 3 })).result as { items: object[] };
  assert.ok(found.items.length > 0);
  const refused = await call('entities.get', { entity_type: 'character', entity_id: 'nobody' });
  assert.deepEqual([refused.ok, refused.status], [false, 404]);
  // The service passes on what a guest answers, also what is no JSON.
  const json = { contentType: 'application/json' };
  await page.route('**/custom/empty', (route) => route.fulfill(json));
  await page.route('**/custom/done', (route) => route.fulfill({ ...json, status: 204 }));
  const empty = await call('custom', { method: 'GET', path: '/empty' });
  const detail = 'The plugin says that its answer is JSON, but it is not';
  assert.deepEqual([empty.ok, empty.status, empty.detail], [false, 502, detail]);
  const done = await call('custom', { method: 'POST', path: '/done' });
  assert.deepEqual([done.ok, done.result], [true, null]);
}

declare global {
  interface Window {
    call(name: string, args: object): Promise<Answer>;
  }
}

/** Runs the command of the sample about Mira. */
async function runCountWords(page: Page): Promise<Locator> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('count words');
  await page
    .getByRole('option', { name: /Sample: Count words/ })
    .or(page.getByRole('menuitem', { name: /Sample: Count words/ }))
    .waitFor();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Count words' });
  await dialog.frameLocator('iframe').getByText('character/mira_vale').waitFor();
  return dialog;
}

async function commandGoesWithItsPage(page: Page): Promise<void> {
  const dialog = await runCountWords(page);
  await dialog
    .frameLocator('iframe')
    .locator('body')
    .evaluate(() => Reflect.get(window, 'say')({ type: 'navigate', path: '/w/default/item' }));
  await page.waitForURL('**/w/default/item');
  await dialog.waitFor({ state: 'detached' });
  await page.goBack();
  await shows(page, '#entity', 'character/mira_vale');

  await runCountWords(page);
  await page.evaluate(() => history.pushState({}, '', '/w'));
  await page.getByRole('heading', { level: 1, name: 'Worlds' }).waitFor();
  await page.goBack();
  await shows(page, '#entity', 'character/mira_vale');
  assert.equal(await dialog.count(), 0);
}

test('a plugin has tabs, panels below, pages and commands, and goes with its data', async (t) => {
  const studio = await startStudio(t);
  const page = await installSample(studio, { expected: [/entity\/character\/nobody/] });
  await page.goto(MIRA);
  await page.getByRole('tab', { name: 'Whole' }).click();
  await page.waitForURL('**?tab=plugin%3Asample%3Atab');
  await page.frameLocator('iframe[title="Whole (Sample)"]').getByText('character/mira_vale').waitFor();
  await page.reload();
  await page.frameLocator('iframe[title="Whole (Sample)"]').getByText('character/mira_vale').waitFor();

  await page.goto('/w/default/item');
  await page.locator('tbody a').first().click();
  await page.getByRole('heading', { name: 'Below' }).waitFor();
  await page
    .frameLocator('iframe[title="Below (Sample)"]')
    .getByText(/^item\//)
    .waitFor();

  await page.getByRole('link', { name: 'Atlas' }).click();
  await page.waitForURL('**/-/x/sample/atlas');
  await page.getByRole('heading', { name: 'Atlas' }).waitFor();
  await page.frameLocator('iframe[title="Atlas (Sample)"]').getByText('null/null').waitFor();
  await noAxeFaults(page);
  await asksTheHost(page);

  await page.goto(MIRA);
  await shows(page, '#name', 'Mira Vale: By a call');
  const dialog = await runCountWords(page);
  await noAxeFaults(page);

  // The keyboard goes into the frame, through it, and out of it.
  const isInFrame = () => page.evaluate(() => document.activeElement instanceof HTMLIFrameElement);
  const close = dialog.getByRole('button', { name: 'Close' });
  await close.first().focus();
  await page.keyboard.press('Tab');
  await until(isInFrame);
  // Into the page itself, its field, its button, and on.
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('Tab');
  await until(async () => close.last().evaluate((button) => button === document.activeElement));
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await commandGoesWithItsPage(page);

  await page.goto(`${PLUGINS}/sample`);
  await page.getByRole('button', { name: 'Remove …' }).click();
  await page.getByLabel(/^Delete its settings and data too/).press('Space');
  await noAxeFaults(page);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('heading', { name: 'No plugin is installed' }).waitFor();
  assert.ok(!existsSync(join(studio.content, '_Plugins/sample')));
});

test('a field has the widget of a plugin, and the usual one without it; readers change nothing by either', async (t) => {
  const studio = await startStudio(t);
  const page = await installSample(studio);
  const layout = {
    sections: [{ label: 'Fields', items: [{ field: 'want', widget: 'plugin:sample:meter' }] }],
    hidden: [],
  };
  const headers = { origin: studio.url };
  const reply = await page.request.put('/api/layouts/character', { headers, data: layout });
  assert.equal(reply.status(), 200, await reply.text());

  await page.goto(MIRA);
  const widget = page.frameLocator('iframe[title="Meter (Sample)"]').getByLabel('Value');
  await until(async () => /^To prove/.test(await widget.inputValue()));
  await page.getByRole('group', { name: 'Want' }).waitFor();
  await noAxeFaults(page);
  await widget.fill('By a meter');
  const file = join(studio.content, FILE);
  await until(() => readFileSync(file, 'utf8').includes('want: By a meter'));
  await shows(page, '#name', 'Mira Vale: By a meter');
  // A change by somebody else arrives in the widget.
  const entity = await (await page.request.get('/api/entity/character/mira_vale')).json();
  await page.request.put('/api/entity/character/mira_vale', {
    headers,
    data: { fields: { want: 'By somebody else' }, base_version: entity.version },
  });
  await until(async () => (await widget.inputValue()) === 'By somebody else');

  const reader = await studio.openAs(
    { email: 'vi@example.com', password: 'a long pass phrase', display_name: 'Vi' },
    'viewer',
    MIRA,
  );
  const locked = reader.frameLocator('iframe[title="Meter (Sample)"]').getByLabel('Value');
  await until(async () => (await locked.inputValue()) === 'By somebody else');
  assert.ok(await locked.isDisabled());
  await reader.getByRole('button', { name: 'At the side' }).scrollIntoViewIfNeeded();
  await sideOf(reader).getByRole('button', { name: 'Edit' }).click();
  await reader.getByText(/^Sample wants to change this entry. That needs somebody/).waitFor();
  await reader.goto(PLUGINS);
  await reader.getByRole('link', { name: 'Sample' }).click();
  await reader.getByLabel('Greeting').fill('Good evening');
  await reader.getByRole('button', { name: 'Save' }).click();
  await reader.getByText('The settings are saved.').waitFor();
  for (const name of ['Settings for everybody', 'What is wrong with its file'])
    assert.equal(await reader.getByRole('heading', { name }).count(), 0);
  assert.equal(await reader.getByRole('switch').count(), 0);
  await noAxeFaults(reader);

  await page.goto(`${PLUGINS}/sample`);
  await page.getByRole('switch', { name: 'Enable Sample' }).press('Space');
  await page.getByText('Disabled', { exact: true }).waitFor();
  await page.goto(MIRA);
  await page.getByText(/^The template asks for “plugin:sample:meter”/).waitFor();
  await until(
    async () => (await page.getByLabel('Want', { exact: true }).inputValue()) === 'By somebody else',
  );
  assert.equal(readFileSync(file, 'utf8').match(/^want: .*$/m)?.[0], 'want: By somebody else');
});
