import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startLlmServer } from '../../../test/support/llm/server.ts';
import { until } from '../../../test/support/until.ts';
import { look } from './screens.ts';
import { noAxeFaults, startStudio, type WindowOptions } from './studio.ts';

const MIRA = '/w/default/character/mira_vale';
const VI = { email: 'vi@example.com', password: 'a third long phrase', display_name: 'Vi' };

/** A studio whose installation asks a scripted model, and Ada at the page of Mira. */
async function startWithModel(t: TestContext, options: WindowOptions = {}) {
  const llm = await startLlmServer();
  t.after(() => llm.close());
  const studio = await startStudio(t, {
    AI_BASE_URL: llm.url,
    AI_MODEL: 'scripted-1',
    AI_API_KEY: 'sk-installation-0123456789',
  });
  const page = await studio.openAsOwner(MIRA, options);
  const file = () => readFileSync(join(studio.content, 'Characters/mira_vale/CH_mira_vale.md'), 'utf8');
  return { llm, studio, page, file };
}

async function proposeFromMenu(page: Page): Promise<void> {
  await fieldOf(page, 'Want').click();
  await page.getByRole('button', { name: 'More for this field' }).click();
  await noAxeFaults(page);
  await page.getByRole('menuitem', { name: 'Propose “Want”' }).click();
}

const passageOf = (words: string) => ({ text: JSON.stringify({ passages: { p1: words } }) });
const fieldOf = (page: Page, name: string) => page.getByLabel(name, { exact: true });

test('a model proposes for a field: what it gets and costs is shown, and nothing is written unasked', async (t) => {
  const { llm, studio, page, file } = await startWithModel(t, { expected: [/status of 409/] });
  const before = file();
  llm.script({ text: JSON.stringify({ fields: { want: 'The rope of the bell.' } }) });
  await proposeFromMenu(page);
  await page.getByRole('region', { name: 'Propose “Want”' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[data-path="want"] :focus').waitFor();
  await fieldOf(page, 'Want').focus();
  await page.getByRole('button', { name: 'Propose “Want”' }).click();
  const panel = page.getByRole('region', { name: 'Propose “Want”' });
  await panel.getByRole('textbox').fill('Something that can be held');
  await panel.getByText('What scripted-1 will get').click();
  await panel.locator('pre').filter({ hasText: 'Something that can be held' }).waitFor();
  await panel.getByText(/It costs/).waitFor();
  await noAxeFaults(page);
  const ask = panel.getByRole('button', { name: 'Propose', exact: true });
  // Somebody changes what it is made from, after it was shown.
  const neighbour = await page.request.put('/api/entity/location/bell_house', {
    data: { fields: { summary: 'A house without a bell' } },
    headers: { origin: studio.url },
  });
  assert.ok(neighbour.ok(), await neighbour.text());
  await ask.click();
  await panel.getByText('Something that it is made from has changed').waitFor();
  const shown = panel.locator('pre').filter({ hasText: 'A house without a bell' });
  await shown.waitFor({ state: 'attached' });
  assert.equal(llm.chats().length, 0);

  await ask.click();
  await panel.getByText('The rope of the bell.').waitFor();
  assert.equal(file(), before);
  await noAxeFaults(page);
  await fieldOf(page, 'Need').fill('To listen.');
  await panel.getByRole('button', { name: 'Take over what is chosen' }).click();
  await panel.getByText('Taken over. The entry had changed meanwhile').waitFor();
  await until(async () => (await fieldOf(page, 'Want').inputValue()) === 'The rope of the bell.');
  const changed = before.split('\n').filter((line, at) => line !== file().split('\n')[at]);
  assert.deepEqual(
    changed.map((line) => line.split(':')[0]),
    ['last_updated', 'want', 'need'],
  );

  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByText(/Proposed by scripted-1.*still as it was proposed/).waitFor();
  await page.getByRole('tab', { name: 'Text & fields' }).click();

  const settings = await page.request.put('/api/ai/settings', {
    data: { forbidden: { character: ['want'] } },
    headers: { origin: studio.url },
  });
  assert.ok(settings.ok(), await settings.text());
  await page.reload();
  await fieldOf(page, 'Need').focus();
  await page.getByRole('button', { name: 'Propose “Need”' }).waitFor();
  await fieldOf(page, 'Want').focus();
  await page.getByRole('button', { name: 'Propose “Need”' }).waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('button', { name: /^Propose|More for this field/ }).count(), 0);

  const viewer = await studio.openAs(VI, 'viewer', MIRA);
  await fieldOf(viewer, 'Want').waitFor();
  await viewer.getByRole('complementary').getByRole('heading', { name: 'Last changed' }).waitFor();
  assert.equal(await viewer.getByRole('heading', { name: 'AI' }).count(), 0);
});

test('of a proposed text single places are taken over, a question can be stopped, and an answer refined', async (t) => {
  const { llm, page, file } = await startWithModel(t);
  const { markdown_body: before } = await (await page.request.get('/api/entity/character/mira_vale')).json();
  const [first, second] = ['wipes her boots', 'At nine she stood'];
  const proposed = before.replace(first, 'kicks off her boots').replace(second, 'At ten she stood');
  llm.script({ text: JSON.stringify({ markdown_body: proposed }) });
  await page.getByRole('textbox', { name: 'Text of Mira Vale' }).click();
  await page.keyboard.press('Control+Home');
  await page.getByRole('button', { name: 'Propose for the text' }).click();
  const panel = page.getByRole('region', { name: 'Propose for the text' });
  await panel.getByRole('button', { name: 'Propose', exact: true }).click();
  const places = panel.getByRole('checkbox');
  await places.nth(1).waitFor();
  assert.equal(await places.count(), 2);
  await places.nth(1).press('Space');
  await page.getByRole('textbox', { name: 'Text of Mira Vale' }).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('She counts the bells.');
  await panel.getByRole('button', { name: 'Take over what is chosen' }).click();
  await panel
    .getByText(/^Taken over/)
    .first()
    .waitFor();
  await until(() => file().includes('kicks off her boots'));
  const partly = file();
  assert.ok(partly.includes(second) && partly.includes('She counts the bells.'));

  await panel.getByRole('button', { name: 'Take back' }).click();
  await panel.getByText('Taken back').first().waitFor();
  assert.ok(file().includes(first) && file().includes('She counts the bells.'));
  await page.keyboard.press('Escape');

  const kept = file();
  const text = page.getByRole('textbox', { name: 'Text of Mira Vale' });
  await text.click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Shift+End');
  await page.getByRole('button', { name: 'Propose …' }).waitFor();
  await noAxeFaults(page);
  await page.getByRole('button', { name: 'Propose …' }).click();
  await page.getByRole('region', { name: 'Propose for the selection' }).waitFor();
  await page.keyboard.press('Escape');
  await text.and(page.locator(':focus')).waitFor();
  await page.getByRole('button', { name: 'Propose for the selection' }).click();
  const passage = page.getByRole('region', { name: 'Propose for the selection' });
  const ask = passage.getByRole('button', { name: 'Propose', exact: true });
  llm.script({ endless: true });
  await ask.click();
  await until(() => llm.open() === 1);
  await passage.getByRole('button', { name: 'Stop' }).click();
  await until(() => llm.open() === 0);
  llm.script({ refuse: { status: 400, message: 'No' } });
  await ask.click();
  await passage.getByRole('alert').waitFor();
  const { markdown_body: written } = await (await page.request.get('/api/entity/character/mira_vale')).json();
  const refined = { markdown_body: written.replace('## First impression', '## Heard before she is seen') };
  llm.script([passageOf('## The first look'), { text: JSON.stringify(refined) }]);
  await ask.click();
  await passage.getByText('## The first look').waitFor();
  await passage.getByRole('button', { name: 'Refine' }).click();
  await passage.getByRole('textbox', { name: 'What should be different?' }).fill('Shorter');
  await ask.click();
  await passage.getByText('Heard before she is seen').waitFor();
  await passage.getByRole('button', { name: 'Reject' }).click();
  await passage.getByText('Rejected').first().waitFor();
  assert.equal(file(), kept);
});

test('on a phone a proposal is a sheet above the entry, begun at the field', async (t) => {
  const { llm, page, file } = await startWithModel(t, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await proposeFromMenu(page);
  const sheet = page.getByRole('dialog', { name: 'Propose “Want”' });
  llm.script({ text: JSON.stringify({ fields: { want: 'The rope of the bell.' } }) });
  await sheet.getByText(/It costs/).waitFor();
  await look(page, 'phone-propose', 'all');
  await sheet.getByRole('button', { name: 'Propose', exact: true }).click();
  await sheet.getByText('The rope of the bell.').waitFor();
  await sheet.getByRole('button', { name: 'Take over what is chosen' }).click();
  await until(() => file().includes('want: The rope of the bell.'));
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'hidden' });
  await page.locator('[data-path="want"] :focus').waitFor();
});
