import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { noAxeFaults } from '../../src/studio/testing/axe.ts';
import { until } from '../../test/support/until.ts';
import { fakeCalls } from '../kit/testing/fake-calls.ts';
import { type HostOptions, openPluginPage } from '../kit/testing/plugin-page.ts';

const FOLDER = new URL('.', import.meta.url);
const SEA = ['Deep sea #0b3d5c', '#EEF'];

async function open(t: TestContext, value: unknown, more: Partial<HostOptions> = {}, disabled = false) {
  const widget = { value, disabled, options: { label: 'Palette' } };
  const hosted = await openPluginPage(t, FOLDER, {
    html: 'palette.html',
    call: fakeCalls({}),
    widget,
    ...more,
  });
  const changes = () => hosted.said.filter(({ type }) => type === 'host-field-widget-change');
  const becomes = async (expected: unknown) => {
    await until(() => changes().length > 0);
    await until(
      () => JSON.stringify(changes().at(-1)?.value) === JSON.stringify(expected),
      () => changes().at(-1),
    );
  };
  return { ...hosted, widget, changes, becomes };
}

test('colours are added, named, moved and removed by keyboard', async (t) => {
  const { frame, page, becomes } = await open(t, SEA);
  const tooWide = await frame.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
  assert.equal(tooWide, 0, 'rows are not wider than the field');
  await frame.locator('#new').fill('Sun #e8b04b');
  await page.keyboard.press('Enter');
  await becomes([...SEA, 'Sun #e8b04b']);
  await frame.getByLabel('Name of Sun').press('Alt+ArrowUp');
  await becomes(['Deep sea #0b3d5c', 'Sun #e8b04b', '#EEF']);
  assert.equal(await frame.getByLabel('Name of Sun').evaluate((one) => one === document.activeElement), true);
  await frame.getByRole('button', { name: 'Move Sun up' }).press('Enter');
  await becomes(['Sun #e8b04b', 'Deep sea #0b3d5c', '#EEF']);
  const down = frame.getByRole('button', { name: 'Move Sun down' });
  assert.equal(await down.evaluate((one) => one === document.activeElement), true, 'it is at the top now');
  await frame.getByLabel('Name of #eeeeff').fill('Foam');
  await page.keyboard.press('Enter');
  await becomes(['Sun #e8b04b', 'Deep sea #0b3d5c', 'Foam #eeeeff']);
  await frame.getByRole('button', { name: 'Remove Deep sea' }).click();
  await becomes(['Sun #e8b04b', 'Foam #eeeeff']);
  await frame.getByText('Contrast').click();
  await frame.getByText('Too little for text.').waitFor();
  await noAxeFaults(page);
});

test('what is being typed outlasts a save', async (t) => {
  const { frame, page, tell, widget, becomes } = await open(t, SEA);
  const name = frame.getByLabel('Name of Deep sea');
  await name.press('End');
  await page.keyboard.type(' at');
  const saved = { entityType: 'item', entityId: 'bell', data: { version: 2 } };
  await tell({ type: 'entity-updated', ...saved });
  await tell({ type: 'host-field-widget-update', ...widget, repeated: true });
  await page.keyboard.type(' night');
  await page.keyboard.press('Enter');
  await becomes(['Deep sea at night #0b3d5c', '#EEF']);
  await tell({ type: 'entity-context', ...saved, language: 'de' });
  await frame.getByLabel('Name von Deep sea at night').waitFor();
});

test('many codes are pasted at once, and what is no colour is said', async (t) => {
  const { frame, page, becomes, changes } = await open(t, null, {
    context: { language: 'de' },
    theme: 'dark',
  });
  await frame.getByText('Noch keine Farben.').waitFor();
  await frame.locator('#new').fill('blau');
  await page.keyboard.press('Enter');
  await frame.getByText('„blau“ ist keine Farbe').waitFor();
  assert.equal(changes().length, 0);
  await frame.locator('#new').evaluate((input) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', 'Meer #0b3d5c\nGischt #eef');
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }));
  });
  await becomes(['Meer #0b3d5c', 'Gischt #eeeeff']);
  await noAxeFaults(page);
});

test('a field that cannot be changed shows its colours, and the height follows them', async (t) => {
  const { frame, said, tell, changes } = await open(t, SEA, {}, true);
  await frame.getByLabel('Name of Deep sea').waitFor();
  assert.equal(await frame.locator('#new').count(), 0);
  assert.equal(await frame.locator('li input:enabled, li button:enabled').count(), 0);
  const heights = () =>
    said.filter(({ type }) => type === 'host-field-widget-resize').map(({ height }) => Number(height));
  await until(() => heights().length > 0);
  const before = heights().at(-1) ?? 0;
  const many = Array.from({ length: 30 }, () => '#0b3d5c');
  await tell({ type: 'host-field-widget-update', value: many, disabled: false, options: {} });
  await until(() => (heights().at(-1) ?? 0) > before + 300);
  assert.equal(changes().length, 0);
});
