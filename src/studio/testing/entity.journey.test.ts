import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { noAxeFaults, shareStudio, startStudio } from './studio.ts';

const shared = shareStudio();

const MIRA = '/w/default/character/mira_vale';
const ODA = '/w/default/character/oda_pell';

test('a new entity gets its id while its text is typed, and not a key is lost', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner('/w/default/-/new/character');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Odo Reed');
  await page.getByRole('textbox', { name: /^Text( of|$)/ }).click();
  await page.keyboard.type('He ');
  await page.waitForURL('**/w/default/character/odo_reed', { waitUntil: 'commit' });
  await page.keyboard.type('goes home.');
  await page.keyboard.press('Control+s');
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();

  assert.equal(new URL(page.url()).pathname, '/w/default/character/odo_reed');
  const file = join(studio.content, 'Characters/odo_reed/CH_odo_reed.md');
  await until(() => readFileSync(file, 'utf8').includes('He goes home.'));
});

test('what somebody else deletes is said to be gone, unless something of it is not saved', async (t) => {
  const studio = await shared(t);
  const expected = [/status of 404/, /ERR_FAILED/];
  const idle = await studio.openAsOwner(ODA, { expected });
  // Requests of a page with a service worker pass by the routes of a test.
  const writing = await studio.openAsOwner(ODA, { expected, serviceWorkers: 'block' });
  await idle.getByRole('heading', { name: 'Oda Pell' }).waitFor();
  const want = writing.getByLabel('Want', { exact: true });
  await want.waitFor();
  await writing.route('**/api/entity/**', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  );
  await want.fill('To stay.');
  const reply = await idle.request.delete('/api/entity/character/oda_pell', {
    headers: { origin: studio.url },
  });
  assert.equal(reply.ok(), true, await reply.text());
  await idle.getByText('This entry is not there').waitFor();
  await writing.unroute('**/api/entity/**');
  await writing.keyboard.press('Control+s');
  await writing.getByText('This entry was deleted. Your changes are kept here.').waitFor();
  assert.equal(await want.inputValue(), 'To stay.');
});

test('letters choose in an open menu, and run no commands behind it', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner(MIRA);
  await page.locator('header').getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: /Delete/ }).click();
  await page.getByRole('alertdialog').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await page.keyboard.press('Escape');
  assert.equal(new URL(page.url()).pathname, MIRA);
});

test('the text alone is shown for whoever likes it so, and a field where an address leads to it', async (t) => {
  const studio = await shared(t);
  const bo = { email: 'bo@example.com', password: 'a fourth long phrase', display_name: 'Bo' };
  const page = await studio.openAs(bo, 'editor', MIRA);
  const [want, text] = [
    page.getByLabel('Want', { exact: true }),
    page.getByRole('textbox', { name: /^Text/ }),
  ];
  await want.waitFor();
  await text.waitFor();
  await page.getByRole('radio', { name: 'Both' }).focus();
  const kept = page.waitForResponse((reply) => reply.request().method() === 'PATCH');
  await page.keyboard.press('ArrowRight');
  await want.waitFor({ state: 'hidden' });
  await kept;
  await page.reload();
  await text.waitFor();
  await page.getByRole('radio', { name: 'Text', checked: true }).waitFor();
  assert.ok(await want.isHidden());

  // Who was in the text goes on in the fields where only these are shown.
  await text.focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('show: fields');
  await page.getByRole('menuitem', { name: 'Show: Fields', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await text.waitFor({ state: 'hidden' });
  await page.locator('[data-path] :focus').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('show: text');
  await page.getByRole('menuitem', { name: 'Show: Text', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await want.waitFor({ state: 'hidden' });

  await page.goto(`${MIRA}?field=want`);
  await want.and(page.locator(':focus')).waitFor();
  await text.waitFor();
});

test('fields that could not be loaded say so, and come with another try', async (t) => {
  const studio = await shared(t);
  // The recycle bin asks for no schemas: those of a list would be there already.
  const page = await studio.openAsOwner('/w/default/-/recycle-bin', {
    expected: [/status of 503/],
    serviceWorkers: 'block',
  });
  await page.route('**/schema**', (route) => route.fulfill({ status: 503, json: { detail: 'Not now' } }));
  await page.goto(MIRA);
  await page.getByText('Not now').waitFor();
  await page.unroute('**/schema**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByLabel('Want', { exact: true }).waitFor();
});

const MISSING = 'This part could not be loaded';
const MISSING_FAULTS = { expected: [/status of 404/, /part of the page/], serviceWorkers: 'block' } as const;

test('a page that cannot be loaded says so, and comes with another try', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner('/w/default', {
    expected: [...MISSING_FAULTS.expected, /dynamically imported/],
    serviceWorkers: 'block',
  });
  const drafts = '**/assets/rebase-text-*.js';
  await page.route(drafts, (route) => route.fulfill({ status: 404 }));
  await page.goto(MIRA);
  await page.getByText('A part of it could not be loaded').waitFor();
  await page.unroute(drafts);
  await page.getByRole('button', { name: 'Load again' }).click();
  await page.getByLabel('Want', { exact: true }).waitFor();

  const entity = '**/assets/entity-page-*.js';
  await page.route(entity, (route) => route.fulfill({ status: 404 }));
  await page.goto(MIRA);
  await page.getByRole('main').getByText(MISSING).waitFor();
  await noAxeFaults(page);
  await page.unroute(entity);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByLabel('Want', { exact: true }).waitFor();
});

test('what cannot be opened above a page leaves the page as it is, and comes with another try', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner(MIRA, {
    expected: [...MISSING_FAULTS.expected, /ERR_FAILED/],
    serviceWorkers: 'block',
  });
  const want = page.getByLabel('Want', { exact: true });
  const missing = page.getByRole('alert').filter({ hasText: MISSING });
  const retry = page.getByRole('button', { name: 'Try again' });
  const retryIsFocused = () => retry.and(page.locator(':focus')).waitFor();
  const more = page.getByRole('button', { name: 'More', exact: true }).first();
  const block = async (part: string) => page.route(part, (route) => route.fulfill({ status: 404 }));
  await page.route('**/api/entity/character/mira_vale', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  );
  await want.fill('To keep what is typed.');

  const menu = '**/assets/menu-list-*.js';
  await block(menu);
  await more.click();
  await retryIsFocused();
  await noAxeFaults(page);
  await page.keyboard.press('Enter');
  await retryIsFocused();
  await page.unroute(menu);
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
  await missing.waitFor({ state: 'hidden' });

  const dialog = '**/assets/delete-dialog-*.js';
  await block(dialog);
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await retryIsFocused();
  await page.keyboard.press('Escape');
  await missing.waitFor({ state: 'hidden' });
  await page.unroute(dialog);
  await more.click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();

  // The style of a part is a file of its own.
  const palette = '**/assets/palette-*.css';
  await block(palette);
  await want.focus();
  await page.keyboard.press('Control+k');
  await retryIsFocused();
  await want.focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' And more.');
  assert.equal(await want.inputValue(), 'To keep what is typed. And more.');
  await retry.focus();
  await page.keyboard.press('Escape');
  await missing.waitFor({ state: 'hidden' });
  await page.keyboard.press('Control+k');
  await retryIsFocused();
  await want.focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' And still more.');
  assert.equal(await want.inputValue(), 'To keep what is typed. And more. And still more.');
  await page.unroute(palette);
  await retry.click();
  const opened = page.getByRole('dialog');
  await opened.getByRole('menuitem').first().waitFor();
  const shadow = await opened.evaluate((box) => getComputedStyle(box).boxShadow);
  assert.notEqual(shadow, 'none', 'its style has come too');
  await page.keyboard.press('Escape');
  assert.equal(await want.inputValue(), 'To keep what is typed. And more. And still more.');
});

test('a browser without room says so, goes on saving, and gives what it cannot keep as a file', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner(MIRA, { expected: [/status of 4\d\d/], serviceWorkers: 'block' });
  const want = page.getByLabel('Want', { exact: true });
  const strip = page.getByRole('alert').filter({ hasText: 'This browser has no room left' });
  const file = join(studio.content, 'Characters/mira_vale/CH_mira_vale.md');
  const downloaded = async (button: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ]);
    return text(await download.createReadStream());
  };
  await want.waitFor();
  const makeRoom = await page.evaluateHandle(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('no room', 'QuotaExceededError');
    };
    return () => {
      IDBObjectStore.prototype.put = put;
    };
  });
  await want.fill('To have room.');
  await strip.waitFor();
  await noAxeFaults(page);
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
  assert.match(readFileSync(file, 'utf8'), /want: To have room\./);
  await strip.waitFor();

  await page.route('**/api/entity/**', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 422, json: { detail: 'Not now' } })
      : route.continue(),
  );
  await want.fill('To have a file.');
  await page.getByText('Not saved: Not now').waitFor();
  assert.match(await downloaded('Keep my changes as a file'), /To have a file\./);
  await page.getByRole('button', { name: 'Discard my changes' }).click();
  await page.getByText('This browser has no room to keep your version').waitFor();
  assert.match(await downloaded('Keep it as a file'), /To have a file\./);
  assert.equal(await want.inputValue(), 'To have room.');

  await makeRoom.evaluate((make) => make());
  await want.fill('To have it all.');
  await strip.waitFor({ state: 'hidden' });
});

test('a viewer who opens the address of a new entity comes to the list, without a draft', async (t) => {
  const studio = await shared(t);
  const vi = { email: 'vi@example.com', password: 'a third long phrase', display_name: 'Vi' };
  const page = await studio.openAs(vi, 'viewer', '/w/default/-/new/character?name=Odo');
  await page.waitForURL('**/w/default/character', { waitUntil: 'commit' });
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
});

for (const [way, id] of [
  ['over the API', 'oda_pell'],
  ['in its file', 'ilse_vale'],
] as const) {
  test(`a template that changes ${way} while its form is open is followed, and what is typed stays`, async (t) => {
    const studio = await startStudio(t);
    const page = await studio.openAsOwner(`/w/default/character/${id}`, {
      expected: [/ERR_FAILED/],
      serviceWorkers: 'block',
    });
    const field = (name: string) => page.getByLabel(name, { exact: true });
    const kept = page.getByRole('region', { name: 'Kept from before' });
    await field('Want').waitFor();
    await page
      .getByRole('button', { name: /more fields?$/ })
      .first()
      .click();
    // Nothing is saved before the template has changed.
    await page.route('**/api/entity/**', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await field('Need').fill('To be kept.');
    await field('Flaw').fill('She lies.');
    await field('Want').fill('To begin');
    await field('Want').focus();
    const path = join(studio.content, '_Templates/Standard/CHARACTER_TEMPLATE.md');
    const content = readFileSync(path, 'utf8')
      .replace(/^need: .*$/m, 'omen: "[What the tide said]"')
      .replace(
        /^ {2}ghost: .*$/m,
        (line) => `${line}\n  want: { widget: textarea }\n  flaw: { widget: textarea }`,
      );
    if (way === 'in its file') writeFileSync(path, content);
    else {
      const reply = await page.request.put('/api/templates/character', {
        data: { content },
        headers: { origin: studio.url },
      });
      assert.ok(reply.ok(), await reply.text());
    }
    await field('Omen').waitFor();
    await kept.getByLabel('Need', { exact: true }).waitFor();
    assert.equal(await kept.getByLabel('Need', { exact: true }).inputValue(), 'To be kept.');
    assert.equal(await field('Flaw').inputValue(), 'She lies.');
    assert.equal(await field('Flaw').evaluate(({ localName }) => localName), 'textarea');
    await field('Want').and(page.locator('textarea:focus')).waitFor();
    await page.keyboard.type(' again.');
    await page.unroute('**/api/entity/**');
    await page.keyboard.press('Control+s');
    const file = () => readFileSync(join(studio.content, `Characters/${id}/CH_${id}.md`), 'utf8');
    for (const line of ['want: To begin again.', 'need: To be kept.', 'flaw: She lies.'])
      await until(() => file().includes(`\n${line}\n`), file);
  });
}
