import { test } from 'node:test';
import { openHarness } from '../../testing/harness.ts';

test('the component follows its properties, tells changes and shows cards', async (t) => {
  const page = await openHarness(t, import.meta.url, './text-editor.harness.tsx');
  const says = (text: string) => page.locator('output', { hasText: text }).waitFor();
  await page.locator('.ce-missing').waitFor();
  await page.getByRole('button', { name: 'Names arrive' }).click();
  const link = page.getByText('Miro', { exact: true });
  await link.hover();
  await page.getByText('Card of miro').waitFor();
  await page.mouse.move(600, 600);
  await page.getByText('Card of miro').waitFor({ state: 'detached' });
  await page.locator('.ce-finding-warning').waitFor();

  await page.getByRole('textbox', { name: 'Text' }).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' Mine.');
  await says('preview: To [[character:miro]]. End. Mine.');
  await page.keyboard.press('Control+e');
  await says('source: To');
  await page.getByRole('button', { name: 'Bo saves' }).click();
  await page.getByText('Bo: To [[character:miro]].').waitFor();
  await page.getByRole('button', { name: 'Lock' }).click();
  await page.getByRole('textbox', { name: 'Text' }).focus();
  await page.keyboard.type('x');
  await says('source: To [[character:miro]]. End. Mine.');
});
