import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { noAxeFaults, startStudio } from './studio.ts';

test('an entity shows who refers to it, what is missing with what may be meant, and its neighbours as links', async (t) => {
  const studio = await startStudio(t);
  appendFileSync(
    join(studio.content, 'Events/market_opens_402/EVT_market_opens_402.md'),
    '\nSee [[Mira Vale]].\n',
  );
  const page = await studio.openAsOwner('/w/default/event/market_opens_402?tab=references', {
    viewport: { width: 1400, height: 900 },
  });
  const missing = page.getByText('“Mira Vale” does not exist');
  await until(async () => {
    await page.reload();
    await page.getByRole('heading', { name: /Who refers to it/ }).waitFor();
    return (await missing.count()) > 0;
  });
  const around = page.getByRole('navigation', { name: 'Around The Market Opens' });
  const neighbour = around.getByRole('link', { name: 'Tobin Sark' });
  await neighbour.focus();
  await noAxeFaults(page);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/w/default/character/tobin_sark', { waitUntil: 'commit' });
  await page.goBack();
  await page.getByRole('listitem').filter({ has: missing }).getByRole('link', { name: 'Mira Vale' }).click();
  await page.waitForURL('**/w/default/character/mira_vale', { waitUntil: 'commit' });
  await page.getByRole('textbox', { name: 'Text of Mira Vale' }).waitFor();
  await page
    .getByRole('complementary', { name: 'What the world says of it' })
    .getByText('Who refers to it')
    .waitFor();
  await noAxeFaults(page);
});
