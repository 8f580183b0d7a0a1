import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startConstellation } from '../../../test/support/constellation.ts';
import { openTestPostgres } from '../../../test/support/databases.ts';
import { NO_LIMITS } from '../../../test/support/no-limits.ts';
import { until } from '../../../test/support/until.ts';
import { openContext } from './browser.ts';
import { assertNoFaults, collectFaults } from './faults.ts';
import { noAxeFaults } from './studio.ts';

const REDIS_URL = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';
const isOff =
  process.env.CANONRY_TEST_POSTGRES === 'off' || process.env.CANONRY_TEST_REDIS === 'off'
    ? 'needs a PostgreSQL server and Redis'
    : false;
const CLEO = { name: 'Cleo', email: 'cleo@example.com', password: 'a long pass phrase' };

interface Cloud {
  url: string;
  dataDir: string;
  open(path: string): Promise<Page>;
}

/** Edge, accounts, cores and a worker, each a process of its own, on PostgreSQL. */
async function startCloud(t: TestContext): Promise<Cloud> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-cloud-'));
  const dataDir = join(folder, 'data');
  const windows: { page: Page; faults: readonly string[] }[] = [];
  // Windows are closed first: one that is open when the cloud ends would show that as a fault.
  t.after(async () => {
    for (const { page } of windows) await page.context().close();
  });
  const [content, accounts] = [await openTestPostgres(), await openTestPostgres()];
  let endCloud = async (): Promise<unknown> => undefined;
  t.after(async () => {
    await endCloud();
    await Promise.all([content.close(), accounts.close()]);
    rmSync(folder, { recursive: true, force: true });
    for (const { faults } of windows) assertNoFaults(faults);
  });
  const cloud = await startConstellation(t, {
    ...NO_LIMITS,
    DATA_DIR: dataDir,
    DATABASE_URL: content.url,
    ACCOUNTS_DATABASE_URL: accounts.url,
    REDIS_URL,
  });
  endCloud = () => cloud.end('SIGTERM');
  return {
    url: cloud.url,
    dataDir,
    async open(path) {
      const page = await (await openContext(t, { baseURL: cloud.url })).newPage();
      windows.push({ page, faults: await collectFaults(page) });
      await page.goto(path);
      return page;
    },
  };
}

/** Path and query of the link in the mail to an address. */
async function mailedLink({ dataDir }: Cloud, email: string): Promise<string> {
  const outbox = join(dataDir, 'accounts/outbox');
  const letters = () =>
    readdirSync(outbox)
      .map((name) => readFileSync(join(outbox, name), 'utf8'))
      .filter((text) => text.includes(`To: ${email}`));
  await until(() => letters().length > 0);
  const { pathname, search } = new URL(/https?:\/\/\S+token=\S+/.exec(letters()[0] ?? '')?.[0] ?? '');
  return pathname + search;
}

/** With Enter, as the door asks. */
async function giveAccount(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(CLEO.email);
  await page.getByLabel('Password').fill(CLEO.password);
  await page.keyboard.press('Enter');
}

test('in a cloud somebody makes an account by mail, signs in, and changes their files line by line, all through the edge', {
  skip: isOff,
}, async (t) => {
  const cloud = await startCloud(t);
  // The first account runs the installation, and needs no mail.
  const first = await fetch(`${cloud.url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'mara@example.com', password: CLEO.password, tenant_name: 'Studio' }),
  });
  assert.equal(first.status, 201, await first.text());

  const page = await cloud.open('/');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Your name').fill(CLEO.name);
  await giveAccount(page);
  await page.getByRole('status').getByText(`We sent a mail to ${CLEO.email}.`).waitFor();
  await noAxeFaults(page);
  await page.goto(await mailedLink(cloud, CLEO.email));
  await page.getByRole('button', { name: `Yes, verify ${CLEO.email}` }).click();
  await page.getByRole('link', { name: 'Sign in to Canonry' }).click();
  await giveAccount(page);
  await page.getByRole('button', { name: 'You: Cleo' }).first().waitFor();

  for (const data of [
    { entity_id: 'tobin', name: 'Tobin Sark' },
    {
      entity_id: 'mira',
      name: 'Mira Vale',
      fields: { want: 'A lamp.', need: 'A rope.', flaw: 'She counts.', story_role: 'protagonist' },
      markdown_body: 'She waits.\n\nThe bell is late.\n\nNobody knows why.\n',
    },
  ])
    assert.equal((await page.request.post('/api/entity/character', { data })).status(), 201);
  const [file = ''] = globSync(join(cloud.dataDir, 'content/*/default/Characters/mira/CH_mira.md'));
  const before = readFileSync(file, 'utf8');
  await page.goto('/w/default/character/mira');
  const text = page.getByRole('textbox', { name: 'Text of Mira Vale' });
  for (const [field, value] of [
    ['Want', 'To hear the bell.'],
    ['Need', 'Somebody at the other end.'],
    ['Flaw', 'She counts aloud.'],
  ] as const)
    await page.getByLabel(field, { exact: true }).fill(value);
  await text.click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('End');
  await page.keyboard.type(' She met [[tobin');
  await page.getByRole('option', { name: /Tobin Sark/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('.');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.type(' Ask [[Odo of the Dark');
  const make = page.getByRole('option', { name: 'New entry “Odo of the Dark”' });
  await make.waitFor();
  while ((await make.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New entry “Odo of the Dark”' });
  await dialog.getByRole('button', { name: /Type/ }).press('Enter');
  await page.keyboard.type('Char');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Make it' }).press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await until(() => text.evaluate((element) => element === document.activeElement));
  await page.keyboard.type('.');
  await page.keyboard.press('Control+s');

  const expected = [
    ['want: A lamp.', 'want: To hear the bell.'],
    ['need: A rope.', 'need: Somebody at the other end.'],
    ['flaw: She counts.', 'flaw: She counts aloud.'],
    ['She waits.', 'She waits. She met [[character:tobin]].'],
    ['The bell is late.', 'The bell is late. Ask [[character:odo_of_the_dark]].'],
  ].reduce((text, [from = '', to = '']) => text.replace(`\n${from}\n`, `\n${to}\n`), before);
  await until(
    () => readFileSync(file, 'utf8') === expected,
    () => readFileSync(file, 'utf8'),
  );
  assert.match(
    readFileSync(join(file, '../../odo_of_the_dark/CH_odo_of_the_dark.md'), 'utf8'),
    /^name: Odo of the Dark$/m,
  );
  await noAxeFaults(page);
});
