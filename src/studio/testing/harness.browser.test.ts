import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { collectFaults } from './faults.ts';
import { type HarnessOptions, noAxeFaults, openHarness } from './harness.ts';

const open = (t: TestContext, options: HarnessOptions = {}) =>
  openHarness(t, import.meta.url, './page.harness.tsx', options);

test('a page of React and React Aria runs under the policy of the web app', async (t) => {
  const page = await open(t);
  await page.getByRole('button', { name: 'Press' }).click();
  assert.equal(await page.title(), 'pressed');
  await noAxeFaults(page);
});

for (const [name, cause, fault] of [
  ['a logged error', () => console.error('an odd word'), /an odd word/],
  ['an error', () => queueMicrotask(() => JSON.parse('{')), /SyntaxError/],
  ['a style of its own', () => addElement('style', 'p { color: red }'), /policy: style-src-elem/],
  ['a script of its own', () => addElement('script', 'alert(1)'), /policy: require-trusted-types-for/],
] as const)
  test(`${name} is a fault`, async (t) => {
    // A window of its own, since what listens in it stays.
    const page = await open(t, { expected: [/.*/], userAgent: name });
    const faults = await collectFaults(page);
    await page.reload();
    await page.evaluate(
      'window.addElement = (name, text) => document.head.append(Object.assign(document.createElement(name), { textContent: text }))',
    );
    await page.evaluate(cause).catch(() => undefined);
    await until(() => faults.some((text) => fault.test(text)));
  });

declare function addElement(name: string, text: string): void;

test('a picture without a name is a fault of accessibility', async (t) => {
  const page = await open(t);
  await page.evaluate(() => document.body.append(document.createElement('img')));
  await assert.rejects(noAxeFaults(page), /image-alt/);
});
