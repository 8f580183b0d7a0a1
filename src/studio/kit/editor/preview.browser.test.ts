import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../../test/support/until.ts';
import { noAxeFaults, openHarness } from '../../testing/harness.ts';
import type {} from './editor.harness.tsx';

const TEXT = `Start.

## A **bold** heading

- [ ] a task with *stress*
- [x] a ~~done~~ one

> A \\*quote\\* with \`code\`.

A [site](https://example.com/a), a [script](javascript:alert(1)) and <b>markup</b>.

[[character:miro]], [[mira_vale|herself]], [[mira_vale#youth]], [[nobody]] and \`[[miro]]\`.

![Map](images/map.png)

![](https://example.com/outside.png)

![](lost.png)

---

| a | b |
|---|---|
| 1 | 2 |

שלום
`;

async function open(t: TestContext, options: Parameters<typeof openHarness>[3] = {}): Promise<Page> {
  const page = await openHarness(t, import.meta.url, './editor.harness.tsx', {
    viewport: { width: 1000, height: 1200 },
    ...options,
  });
  await page.evaluate((text) => window.harness.open(text), TEXT);
  return page;
}

const lines = (page: Page) => page.locator('.cm-line').allInnerTexts();

const shows = (page: Page, line: string) =>
  until(
    async () => (await lines(page)).includes(line),
    () => lines(page),
  );

test('marks are hidden but in the line of the resting cursor', async (t) => {
  const page = await open(t);
  for (const line of [
    'A bold heading',
    ' a task with stress',
    'A *quote* with code.',
    'A site, a [script](javascript:alert(1)) and <b>markup</b>.',
    'Miro, herself, Mira Vale, nobody and [[miro]].',
  ])
    await shows(page, line);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await shows(page, '## A **bold** heading');
  await page.keyboard.press('ArrowUp');
  await shows(page, 'A bold heading');
});

test('Ctrl+E shows the plain source, and goes back', async (t) => {
  const page = await open(t);
  await shows(page, 'A bold heading');
  await page.keyboard.press('Control+e');
  await shows(page, '## A **bold** heading');
  assert.deepEqual(await page.locator('.ce-picture').count(), 0);
  await page.keyboard.press('Control+e');
  await shows(page, 'A bold heading');
  assert.deepEqual(await page.evaluate(() => window.harness.heard.modes), ['source', 'preview']);
});

test('no line moves while the pointer is down', async (t) => {
  const page = await open(t);
  await shows(page, 'A bold heading');
  const heading = await page.locator('.ce-h2').boundingBox();
  assert.ok(heading);
  await page.mouse.move(heading.x + 60, heading.y + heading.height - 8);
  await page.mouse.down();
  await page.waitForTimeout(300);
  assert.ok((await lines(page)).includes('A bold heading'));
  await page.mouse.up();
  await shows(page, '## A **bold** heading');
});

test('a task is done by its box', async (t) => {
  const page = await open(t);
  await page.getByRole('checkbox', { name: 'Done' }).first().click();
  await until(() => page.evaluate(() => window.harness.editor.text().includes('- [x] a task')));
});

test('a missing entity says so, an entity has the colour of its type', async (t) => {
  const page = await open(t);
  await shows(page, 'Miro, herself, Mira Vale, nobody and [[miro]].');
  assert.equal(await page.getByText('nobody').getAttribute('title'), 'There is no nobody');
  const color = await page
    .getByText('herself')
    .evaluate((link) => getComputedStyle(link).textDecorationColor);
  assert.equal(color, 'rgb(176, 85, 42)');
});

test('pictures have their size, and those of other sites are not loaded', async (t) => {
  const requests: string[] = [];
  const page = await open(t);
  page.on('request', (request) => requests.push(request.url()));
  const size = await page.getByRole('img', { name: 'Map' }).boundingBox();
  assert.deepEqual([size?.width, size?.height], [400, 200]);
  await page.locator('.ce-picture', { hasText: 'https://example.com/outside.png' }).waitFor();
  await page.getByText('No picture at lost.png').waitFor();
  await page.getByRole('button', { name: 'Open' }).waitFor();
  assert.deepEqual(
    requests.filter((url) => url.includes('example.com')),
    [],
  );
});

test('each line has the direction of its letters', async (t) => {
  const page = await open(t);
  const direction = await page.getByText('שלום').evaluate((line) => getComputedStyle(line).direction);
  assert.equal(direction, 'rtl');
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`the ${colorScheme} theme has no faults of accessibility`, async (t) => {
    const page = await open(t, { colorScheme });
    await shows(page, 'A bold heading');
    await noAxeFaults(page);
    await page.keyboard.press('Control+End');
    await page.keyboard.type('[[mir');
    await page.getByRole('option', { name: 'Make' }).waitFor();
    await noAxeFaults(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+e');
    await shows(page, '## A **bold** heading');
    await noAxeFaults(page);
  });
