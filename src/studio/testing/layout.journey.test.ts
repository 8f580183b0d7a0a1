import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../test/support/until.ts';
import type { Layout } from '../../content/layout/index.ts';
import { installSample } from './install-sample.ts';
import { noAxeFaults, type Studio, startStudio } from './studio.ts';

const MIRA = '/w/default/character/mira_vale';
const FILE = 'Characters/mira_vale/CH_mira_vale.md';
const LAYOUT_FILE = '_Templates/Layouts/character.layout.json';
const SIDE = 'iframe[title="At the side (Sample)"]';
const LAYOUT: Layout = {
  sections: [
    {
      label: 'At a glance',
      items: [
        { field: 'want', width: 'half' },
        { field: 'need', width: 'half' },
        { block: 'plugin:sample:side' },
        { block: 'references' },
      ],
    },
    { label: 'Elsewhere', items: [{ block: 'plugin:sample:foot' }, { block: 'plugin:maps:around' }] },
  ],
  hidden: ['aliases'],
};

async function putLayout(studio: Studio, page: Page, layout: Layout): Promise<void> {
  const headers = { origin: studio.url };
  const reply = await page.request.put('/api/layouts/character', { headers, data: layout });
  assert.equal(reply.status(), 200, await reply.text());
}

async function switchSample(studio: Studio, page: Page, to: 'enable' | 'disable'): Promise<void> {
  const reply = await page.request.post(`/api/plugins/sample/${to}`, { headers: { origin: studio.url } });
  assert.ok(reply.ok(), await reply.text());
}

/** But for the day of its last change. */
const linesOf = (studio: Studio): string[] =>
  readFileSync(join(studio.content, FILE), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('last_updated:'));

test('a saved layout arranges the form, with a panel in place that edits, and is followed while it is open', async (t) => {
  const studio = await startStudio(t);
  const page = await installSample(studio);
  await page.goto(MIRA);
  await page.locator(SIDE).waitFor();
  await page.getByRole('tab', { name: 'Whole' }).waitFor();

  // It arrives where the form is open.
  await putLayout(studio, page, LAYOUT);
  const glance = page.getByRole('region', { name: 'At a glance' });
  await glance.getByRole('heading', { level: 3, name: 'At the side' }).waitFor();
  const panel = glance.frameLocator(SIDE);
  await panel.getByText('character/mira_vale').waitFor();
  assert.equal(await page.locator('iframe').count(), 1);
  await page.getByText(/^The layout asks for the panel “Below” of Sample, which is made for other/).waitFor();
  await page.getByText(/its plugin “maps” is not installed/).waitFor();
  await page.getByRole('button', { name: '1 hidden field' }).waitFor();
  await noAxeFaults(page);

  // The panel changes its line and no other, and the user takes it back.
  const before = linesOf(studio);
  const frame = page.frames().find((each) => each.url().includes('/sample/side')) ?? assert.fail('no frame');
  await frame.evaluate(() => window.say({ type: 'resize', height: 120 }));
  await until(async () => (await glance.locator(SIDE).boundingBox())?.height === 120);
  await frame.evaluate(() => window.say({ type: 'entity-modified', fields: { want: 'A bell of her own' } }));
  await until(
    async () => (await page.getByLabel('Want', { exact: true }).inputValue()) === 'A bell of her own',
  );
  await until(() => linesOf(studio).includes('want: A bell of her own'));
  const changed = linesOf(studio).filter((line) => !before.includes(line));
  assert.deepEqual(changed, ['want: A bell of her own']);
  assert.equal(linesOf(studio).length, before.length);
  await page.getByText('Sample changed the field Want.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await until(() => linesOf(studio).join('\n') === before.join('\n'));

  // A panel of a tab stands in the form instead, and the one of the side is back there.
  const [first] = LAYOUT.sections;
  assert.ok(first);
  await putLayout(studio, page, {
    sections: [{ ...first, items: [{ block: 'plugin:sample:tab' }, { field: 'want' }] }],
    hidden: [],
  });
  await glance.frameLocator('iframe[title="Whole (Sample)"]').getByText('character/mira_vale').waitFor();
  await page.getByRole('complementary').locator(SIDE).waitFor();
  assert.equal(await page.getByRole('tab', { name: 'Whole' }).count(), 0);

  await switchSample(studio, page, 'disable');
  await glance.getByText('The panel “Whole” belongs here, but Sample is disabled.').waitFor();
  await page.locator('iframe').waitFor({ state: 'detached' });
  await glance.getByRole('link', { name: 'About Sample' }).waitFor();
  await noAxeFaults(page);

  // A file that cannot be read leaves the usual form, and says so to whoever can mend it.
  writeFileSync(join(studio.content, LAYOUT_FILE), '{"sections": [');
  await page.getByText(/^The layout of this form cannot be read/).waitFor();
  assert.equal(await glance.count(), 0);
  await page.getByLabel('Aliases', { exact: true }).first().waitFor();
  await noAxeFaults(page);
  const reader = await studio.openAs(
    { email: 'vi@example.com', password: 'a long pass phrase', display_name: 'Vi' },
    'viewer',
    MIRA,
  );
  await reader.getByLabel('Want', { exact: true }).waitFor();
  assert.equal(await reader.getByText(/cannot be read/).count(), 0);
});

declare global {
  interface Window {
    say(message: object): void;
  }
}
