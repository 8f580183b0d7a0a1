import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../../test/support/until.ts';
import { openHarness } from '../../testing/harness.ts';
import type {} from './editor.harness.tsx';

async function open(t: TestContext, text: string): Promise<Page> {
  const page = await openHarness(t, import.meta.url, './editor.harness.tsx');
  await page.evaluate((given) => window.harness.open(given), text);
  return page;
}

const becomes = (page: Page, text: string) =>
  until(
    async () => (await page.evaluate(() => window.harness.editor.text())) === text,
    () => page.evaluate(() => window.harness.editor.text()),
  );

/** As the browser does when files are on the clipboard or are dropped. */
const give = (page: Page, type: 'paste' | 'drop', names: readonly string[], text = '') =>
  page.evaluate(
    ({ type, names, text }) => {
      const data = new DataTransfer();
      if (text !== '') data.setData('text/plain', text);
      for (const name of names) data.items.add(new File(['x'], name, { type: 'image/png' }));
      const content = document.querySelector('.cm-content');
      const box = content?.querySelector('.cm-line')?.getBoundingClientRect();
      const place = { clientX: (box?.left ?? 0) + 17, clientY: (box?.top ?? 0) + 5 };
      const event =
        type === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true, ...place });
      content?.dispatchEvent(event);
    },
    { type, names, text },
  );

test('a pasted picture is linked where its place has moved to, once it is uploaded', async (t) => {
  const page = await open(t, 'Here: \nEnd.');
  await page.keyboard.press('End');
  await give(page, 'paste', ['map.png']);
  await page.getByText('Uploading map.png …').waitFor();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('Look. ');
  await page.evaluate(() => window.harness.heard.uploads[0]?.resolve('images/map.png'));
  await becomes(page, 'Look. Here: ![](images/map.png)\nEnd.');
  await page.getByRole('img', { name: 'A map' }).waitFor();
});

test('several dropped pictures stand in their order, and one that fails leaves nothing', async (t) => {
  const page = await open(t, 'End.');
  await give(page, 'drop', ['a.png', 'b.png', 'c.png']);
  await page.getByText('Uploading c.png …').waitFor();
  await page.evaluate(() => {
    const [a, b, c] = window.harness.heard.uploads;
    c?.resolve('images/c 1.png');
    b?.reject(new Error('too large'));
    a?.resolve('images/a.png');
  });
  await becomes(page, '![](images/a.png)![](<images/c 1.png>)End.');
  await page.locator('.ce-placeholder').first().waitFor({ state: 'detached' });
});

test('text that comes with a picture of itself is pasted as text', async (t) => {
  const page = await open(t, 'End.');
  await give(page, 'paste', ['text.png'], 'Copied. ');
  await becomes(page, 'Copied. End.');
});
