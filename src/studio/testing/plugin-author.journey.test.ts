import assert from 'node:assert/strict';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { runCommand, startCommand } from '../../../test/support/command.ts';
import { until } from '../../../test/support/until.ts';
import { isCloudOff, startCloud } from './cloud.ts';
import { chooseFile, PLUGINS } from './install-sample.ts';
import { noAxeFaults, startStudio } from './studio.ts';

/** A service worker would answer in the place of the service, and the side needs room. */
const WIDE = { serviceWorkers: 'block', viewport: { width: 1500, height: 900 } } as const;
const MIRA = '/w/default/character/mira_vale';
const FRAME = 'iframe[title="Bell count"]';
const PLUGIN = '/api/plugins/bell-count';

const ASK = `
const ask = Object.assign(document.createElement('button'), { textContent: 'Ask for more' });
ask.addEventListener('click', () => panel.modify({ want: 'To hear more bells.' }));
document.body.append(ask);
const rung = document.createElement('p');
document.body.append(rung);
`;

const HEAR = `
  onEvent({ pluginId, name, payload }) {
    rung.textContent = pluginId + ' ' + name + ' ' + JSON.stringify(payload);
  },
`;

interface Tenant {
  tenant_id: string;
  name: string;
  slug: string;
}

const panelOf = (page: Page) => page.frameLocator(FRAME).first();

/** A panel is loaded when it is on the screen. */
async function seesPanel(page: Page, text: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Bell count', exact: true }).scrollIntoViewIfNeeded();
  await panelOf(page).getByText(text).waitFor();
}

/** Changes a file of the plugin, as its author does. */
function edit(plugin: string, path: string, change: (text: string) => string): void {
  const file = join(plugin, path);
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  assert.notEqual(after, before, path);
  writeFileSync(file, after);
}

/** Building the guest takes seconds, so it is done once. */
let kept: Promise<string> | undefined;

async function makePlugin(t: TestContext): Promise<string> {
  kept ??= newPlugin();
  const folder = mkdtempSync(join(tmpdir(), 'plugin-author-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(await kept, folder, { recursive: true });
  return folder;
}

async function newPlugin(): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), 'plugin-author-'));
  process.once('exit', () => rmSync(cwd, { recursive: true, force: true }));
  await runCommand({ cwd }, 'plugin', 'new', 'bell-count', '--kind', 'full');
  const plugin = join(cwd, 'bell-count');
  edit(plugin, 'plugin.json', (text) =>
    text.replace('["entities:read"]', '["entities:read", "entities:write", "events:emit"]'),
  );
  edit(plugin, 'src/guest.ts', (text) =>
    text
      .replace('entities, log', 'entities, events, log')
      .replace(
        "  if (path !== '/count'",
        "  if (path === '/ring') events.emit('rang', { bells: 3 });\n  if (path !== '/count'",
      ),
  );
  edit(plugin, 'src/panel.ts', (text) => text.replace('  // Called when', `${HEAR}  // Called when`) + ASK);
  await runCommand({ cwd: plugin }, 'plugin', 'build');
  return plugin;
}

/** An API key, for `canonry plugin dev`. */
async function keyOf(page: Page, url: string): Promise<string> {
  const reply = await page.request.post('/api/api-keys', {
    headers: { origin: url },
    data: { name: 'plugins', scopes: ['admin'] },
  });
  assert.equal(reply.status(), 201, await reply.text());
  return ((await reply.json()) as { key: string }).key;
}

/** From nothing to a plugin that is used, updated and removed. `seen` runs while it is installed. */
async function authorsDay(
  t: TestContext,
  { page, url, file, seen }: { page: Page; url: string; file: string; seen?: () => Promise<void> },
): Promise<void> {
  const plugin = await makePlugin(t);
  const env = { CANONRY_TOKEN: await keyOf(page, url) };
  const dev = startCommand({ cwd: plugin, env }, 'plugin', 'dev', '--url', url);
  t.after(() => dev.stop());
  await until(() => dev.printed().includes('uploaded bell-count 0.1.0: waiting'), dev.printed);

  // An admin allows what it asks for; only then it is shown.
  await page.goto(PLUGINS);
  await page.getByRole('button', { name: 'Answer Bell count' }).click();
  const dialog = page.getByRole('dialog', { name: 'What Bell count wants to do' });
  await dialog.getByLabel('change entries of this world').waitFor();
  await dialog.getByRole('button', { name: 'Allow what is marked' }).click();
  await page.getByRole('switch', { name: 'Enable Bell count' }).waitFor();
  await page.goto(MIRA);
  await seesPanel(page, /^\d+ words$/);

  // A change of the source is seen without another load of the Studio.
  edit(plugin, 'src/panel.ts', (text) => text.replace('} words`', '} words so far`'));
  await panelOf(page)
    .getByText(/^\d+ words so far$/)
    .waitFor();
  const { code, err } = await dev.stop();
  assert.equal(code, 0, err);

  // What the panel changes is an edit of the user.
  const before = readFileSync(file, 'utf8');
  const want = page.getByLabel('Want', { exact: true });
  await panelOf(page).getByRole('button', { name: 'Ask for more' }).click();
  await until(() => readFileSync(file, 'utf8').includes('want: To hear more bells.'));
  await page.getByRole('button', { name: 'Undo' }).click();
  await until(async () => !(await want.inputValue()).includes('more bells'));
  const withoutDay = (text: string) => text.replace(/^last_updated:.*\n/m, '');
  await until(() => withoutDay(readFileSync(file, 'utf8')) === withoutDay(before));

  // Its guest changes what is saved, and the version says so.
  await page.getByRole('textbox', { name: 'Text of Mira Vale' }).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('She waits...');
  await page.keyboard.press('Control+s');
  await page.getByRole('textbox', { name: 'Text of Mira Vale' }).getByText('She waits…').waitFor();
  await until(() => readFileSync(file, 'utf8').includes('She waits…'));

  await page.goto(`${MIRA}?tab=history`);
  await page.getByText('Plugins involved: bell-count').first().waitFor();
  await page.goto(MIRA);

  // What the guest emits reaches the panel.
  await seesPanel(page, /^\d+ words so far$/);
  await page.request.post(`${PLUGIN}/custom/ring`, { headers: { origin: url } });
  await panelOf(page).getByText('bell-count rang {"bells":3}').waitFor();

  // In a layout it stands between the fields.
  const layout = {
    sections: [{ label: 'Bells', items: [{ field: 'want' }, { block: 'plugin:bell-count:words' }] }],
  };
  const headers = { origin: url };
  const data = { ...layout, hidden: [] };
  const arranged = await page.request.put('/api/layouts/character', { headers, data });
  assert.equal(arranged.status(), 200, await arranged.text());
  const bells = page.getByRole('region', { name: 'Bells' });
  await bells
    .frameLocator(FRAME)
    .getByText(/^\d+ words so far$/)
    .waitFor();
  assert.equal(await page.locator(FRAME).count(), 1);

  const tried = await runCommand({ cwd: plugin }, 'plugin', 'test', '--content', join(file, '../../..'));
  assert.match(tried.out, /0 calls failed/, tried.err);

  // The next version replaces it; what was allowed stays.
  edit(plugin, 'plugin.json', (text) => text.replace('"0.1.0"', '"0.2.0"'));
  await runCommand({ cwd: plugin }, 'plugin', 'pack');
  await page.goto(PLUGINS);
  await page.getByRole('switch', { name: 'Enable Bell count' }).waitFor();
  await chooseFile(page, 'bell-count.zip', readFileSync(join(plugin, 'bell-count-0.2.0.zip')));
  await page.getByText('Version 0.2.0').waitFor();
  await page.goto(`${PLUGINS}/bell-count`);
  await page.getByText('change entries of this world').first().waitFor();
  await page.getByRole('region', { name: 'What it did' }).getByText('Before a save').first().waitFor();
  await noAxeFaults(page);
  await seen?.();

  await page.goto(`${PLUGINS}/bell-count`);
  await page.getByRole('button', { name: 'Remove …' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('heading', { name: 'No plugin is installed' }).waitFor();
  await page.goto(MIRA);
  await want.waitFor();
  assert.equal(await page.locator('iframe').count(), 0);
}

test('an author makes a plugin, tries it beside the running service, updates and removes it', async (t) => {
  const studio = await startStudio(t);
  const page = await studio.openAsOwner(PLUGINS, WIDE);
  const file = join(studio.content, 'Characters/mira_vale/CH_mira_vale.md');
  await authorsDay(t, { page, url: studio.url, file });
});

test('in a cloud another tenant sees nothing of a plugin', { skip: isCloudOff }, async (t) => {
  const cloud = await startCloud(t);
  const [mara, cleo] = ['mara', 'cleo'].map((name) => ({
    email: `${name}@example.com`,
    password: 'a long pass phrase',
  })) as [{ email: string; password: string }, { email: string; password: string }];
  await cloud.add(mara, 'Studio');
  await cloud.add(cleo, 'Elsewhere');
  const { tenants } = JSON.parse(await cloud.canonry('tenant', 'list', '--json')) as { tenants: Tenant[] };
  const mine = tenants.find(({ name }) => name === 'Studio') ?? assert.fail();
  await cloud.canonry('tenant', 'plan', mine.slug, 'team');
  const page = await cloud.openSignedIn(mara, '/', WIDE);
  const others = await cloud.openSignedIn(cleo, '/', WIDE);
  for (const window of [page, others]) {
    const data = {
      entity_id: 'mira_vale',
      name: 'Mira Vale',
      fields: { want: 'A lamp.' },
      markdown_body: 'She is.\n',
    };
    const made = await window.request.post('/api/entity/character', { headers: { origin: cloud.url }, data });
    assert.equal(made.status(), 201, await made.text());
  }
  const files = globSync(join(cloud.dataDir, 'content/*/default/Characters/mira_vale/CH_mira_vale.md'));
  const before = files.map((file) => readFileSync(file, 'utf8'));
  const file = files.find((each) => each.includes(mine.tenant_id)) ?? assert.fail(files.join());

  await authorsDay(t, {
    page,
    url: cloud.url,
    file,
    async seen() {
      await others.goto(MIRA);
      await others.getByLabel('Want', { exact: true }).waitFor();
      assert.equal(await others.locator('iframe').count(), 0);
      await others.goto(PLUGINS);
      await others.getByRole('heading', { name: 'No plugin is installed' }).waitFor();
      for (const path of ['', '/settings', '/log', '/grants', '/data/counts', '/custom/count?type=character'])
        assert.equal((await others.request.get(`${PLUGIN}${path}`)).status(), 404, path);
    },
  });
  const theirs = files.indexOf(files.find((each) => each !== file) ?? '');
  assert.equal(readFileSync(files[theirs] ?? '', 'utf8'), before[theirs]);
});
