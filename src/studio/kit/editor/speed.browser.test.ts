import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHarness } from '../../testing/harness.ts';
import { workOfKey } from '../../testing/page-work.ts';
import type {} from './editor.harness.tsx';

const PARAGRAPH =
  'She **drew** the map of [[location:old_town|the town]] twice, and [[mira_vale]] kept *one* of them.\n\n';
/** The budget of a key. */
const MOST_MS = 10;

test('a key in a text of 200 KB is little work', async (t) => {
  const page = await openHarness(t, import.meta.url, './editor.harness.tsx');
  const text = `# Map\n\n![](images/map.png)\n\n${PARAGRAPH.repeat(200_000 / PARAGRAPH.length)}`;
  await page.evaluate((given) => window.harness.open(given), text);
  await page.evaluate(() =>
    window.harness.editor.goToLine(Math.ceil(window.harness.editor.text().split('\n').length / 2)),
  );
  await page.keyboard.type('Warm up. ');
  await page.waitForTimeout(1_000);
  const work = await workOfKey(page, MOST_MS);
  const said = `${work.toFixed(1)} ms a key, at most ${MOST_MS}`;
  t.diagnostic(said);
  assert.ok(work <= MOST_MS, said);
});
