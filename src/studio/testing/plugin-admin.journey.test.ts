import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  type CatalogFiles,
  entryFor,
  newKeeper,
  signedIndex,
  startCatalogServer,
} from '../../../test/support/catalog.ts';
import { buildGuest } from '../../../test/support/guests/build-guest.ts';
import { until } from '../../../test/support/until.ts';
import { zipOf } from '../../../test/support/zip.ts';
import { chooseFile, PLUGINS } from './install-sample.ts';
import { noAxeFaults, shareStudio, startStudio } from './studio.ts';

const CATALOG = `${PLUGINS}?show=catalog`;
/** A service worker would answer in the place of the service. */
const WINDOW = { serviceWorkers: 'block' } as const;
const MB = 1024 * 1024;

const shared = shareStudio();

function pluginZip(manifest: object, files: Record<string, Uint8Array> = {}): Buffer {
  const whole = { version: '1.0.0', description: 'Made for a test.', trust_tier: 'community', ...manifest };
  const all = { 'plugin.json': JSON.stringify(whole), ...files };
  return Buffer.from(zipOf(Object.entries(all).map(([name, content]) => ({ name, content }))));
}

/** So slow that the way of a megabyte can be watched. */
async function slowDown(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const emulated = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytesPerSecond };
  await session.send('Network.emulateNetworkConditions', emulated);
}

async function dropFile(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  const data = await page.evaluateHandle(
    ([given, base64]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], given));
      return transfer;
    },
    [name, Buffer.from(bytes).toString('base64')] as const,
  );
  await page.getByRole('heading', { level: 1 }).dispatchEvent('dragover', { dataTransfer: data });
  await page.getByRole('heading', { level: 1 }).dispatchEvent('drop', { dataTransfer: data });
}

test('an upload shows how far it is, can be taken back, and is taken wherever it is dropped', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner(PLUGINS, {
    ...WINDOW,
    expected: [/status of 422/, /ERR_FAILED .*upload/],
  });
  const choose = page.getByRole('button', { name: 'Choose a file …' });
  await choose.waitFor();
  const archive = Buffer.from(
    pluginZip(
      { id: 'large', name: 'Large', permissions: ['entities:write'] },
      { 'data.bin': randomBytes(MB) },
    ),
  );

  await slowDown(page, MB / 8);
  await chooseFile(page, 'large.zip', archive);
  const progress = page.getByRole('progressbar', { name: 'large.zip is being sent' });
  await until(async () => {
    const share = Number(await progress.getAttribute('aria-valuenow'));
    return share > 0 && share < 100;
  });
  await noAxeFaults(page);
  const section = page.getByRole('region', { name: 'Add a plugin' });
  assert.ok(await section.evaluate((element) => element.contains(document.activeElement)));
  await page.getByRole('button', { name: 'Cancel' }).click();
  await choose.waitFor();
  await page.getByText('large.zip is not sent any more.').waitFor({ state: 'attached' });
  assert.equal(await page.getByRole('alert').filter({ hasText: 'large.zip' }).count(), 0);
  assert.ok(!existsSync(join(studio.content, '_Plugins/large')));

  await slowDown(page, -1);
  await dropFile(page, 'large.zip', archive);
  await page.getByText('large.zip is being unpacked and checked').first().waitFor({ state: 'attached' });
  const dialog = page.getByRole('dialog', { name: 'What Large wants to do' });
  await dialog.getByText('The history of an entry names the plugin.', { exact: false }).waitFor();
  await noAxeFaults(page);
  await dialog.getByRole('button', { name: 'Allow none of it' }).click();
  await page.getByRole('switch', { name: 'Enable Large' }).waitFor();

  // A file is taken wherever the page of plugins is.
  await page.getByRole('link', { name: 'Catalog' }).click();
  await page.getByRole('heading', { name: 'No catalog is set up' }).waitFor();
  await dropFile(page, 'faulty.zip', pluginZip({ id: 'Faulty id', name: 'Faulty' }));
  const alert = page.getByRole('alert').filter({ hasText: 'faulty.zip was not installed' });
  await alert.getByText(/^plugin\.json cannot be used: .*line 1/).waitFor();
  await alert.getByText('canonry plugin build', { exact: false }).waitFor();

  // Nobody knows whether a service that is away has installed it.
  await page.route('**/api/plugins/upload', (route) => route.abort());
  await chooseFile(page, 'lost.zip', archive);
  await page.getByText(/^The connection was lost before the service said/).waitFor();
});

const GUEST = `
import entities from 'canonry:plugin/entities@1.0.0';
import log from 'canonry:plugin/log@1.0.0';
export const metadata = { getInfo: () => ({ name: 'Test', version: '1.0.0', description: '' }) };
export const hooks = {
  onEntityValidate: () => [],
  onEntitySave({ entity }) {
    const value = JSON.parse(entity);
    log.log('warn', 'saw <b>' + value.name + '</b>');
    value.fields.want = 'Whatever a plugin wants';
    return JSON.stringify(value);
  },
  onEntityCreate() {},
  onEntityDelete() {},
  onProjectInit() {},
};
export const routes = {
  handleRequest({ path }) {
    if (path === '/throw') throw 'it lost its thread';
    for (let line = 0; line < 25; line += 1) log.log('debug', 'line ' + line);
    try { entities.write('character', 'mira_vale', '{}'); } catch {}
    return { status: 200, headers: [], body: '' };
  },
};
`;

test('an admin sees what a plugin may do, what it did, was refused and failed at', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner(PLUGINS, { ...WINDOW, expected: [/status of 502/] });
  const component = await buildGuest(GUEST);
  const capabilities = { backend: { entry: 'guest.wasm' } };
  const permissions = ['entities:read', 'entities:write'];
  const manifest = { id: 'watcher', name: 'Watcher', capabilities, permissions };
  await chooseFile(page, 'watcher.zip', pluginZip(manifest, { 'guest.wasm': component }));
  await page.getByRole('button', { name: 'Allow none of it' }).click();
  await page.getByRole('switch', { name: 'Enable Watcher' }).waitFor();

  const headers = { origin: studio.url };
  const entity = '/api/entity/character/mira_vale';
  const wants = async () => (await (await page.request.get(entity)).json()).fields.want;
  // Until a guest is translated, saves go on without it.
  await until(async () => {
    const data = { fields: { want: `Something of her own ${Math.random()}` } };
    await page.request.put(entity, { headers, data });
    return (await wants()) === 'Whatever a plugin wants';
  });
  await page.goto(`${PLUGINS}/watcher`);
  const may = page.getByRole('listitem').filter({ hasText: 'change entries of this world' });
  await may.getByText('not allowed').waitFor();
  await page.getByText('Its code is given each entry that is checked or saved', { exact: false }).waitFor();
  await may.getByText('who can undo it', { exact: false }).waitFor();
  const did = page.getByRole('region', { name: 'What it did' });
  await did.getByText(/^Its code ran \d+ times, last .*\. It never failed\.$/).waitFor();
  const save = did.getByRole('listitem').filter({ hasText: 'took' }).filter({ hasText: 'Before a save' });
  await save.getByText('saw <b>Mira Vale</b>').first().waitFor();
  await save.getByText('It answered with another state to save: want').first().waitFor();
  await noAxeFaults(page);

  for (const path of ['throw', 'lines']) await page.request.get(`/api/plugins/watcher/custom/${path}`);
  await did.getByRole('button', { name: 'Refresh' }).click();
  await did.getByText('It failed once', { exact: false }).waitFor();
  await did.getByText('GET /lines').waitFor();
  await did.getByText('It could not change character/mira_vale: the permission entities:write').waitFor();
  assert.equal(await did.getByText('line 0', { exact: true }).count(), 0);
  await did.getByText(/^20 of \d+ lines$/).waitFor();
  await did.getByRole('button', { name: 'Older lines' }).click();
  await did.getByText('line 0', { exact: true }).waitFor();

  await did.getByRole('link', { name: 'Failures' }).click();
  await page.waitForURL('**?log=failed');
  await did.getByText('it lost its thread', { exact: false }).waitFor();
  await did.getByText('1 of 1 lines').waitFor();
  await noAxeFaults(page);
  await did.getByRole('link', { name: 'Warnings and errors' }).click();
  await did.getByText('saw <b>Mira Vale</b>').first().waitFor();
  await did.getByRole('link', { name: 'Mira Vale' }).first().click();
  await page.waitForURL('**/character/mira_vale?tab=history');

  const editor = { email: 'bo@example.com', password: 'a long pass phrase', display_name: 'Bo' };
  const other = await studio.openAs(editor, 'editor', `${PLUGINS}/watcher`);
  await other.getByRole('heading', { name: 'What it may do' }).waitFor();
  assert.equal(await other.getByRole('region', { name: 'What it did' }).count(), 0);
});

test('without a catalog a page says how to set one up', async (t) => {
  const page = await (await shared(t)).openAsOwner(PLUGINS, WINDOW);
  await page.getByRole('link', { name: 'Catalog' }).click();
  await page.getByRole('heading', { name: 'No catalog is set up' }).waitFor();
  await page.getByText('PLUGIN_CATALOG_KEY', { exact: false }).waitFor();
  await noAxeFaults(page);
});

test('an admin installs from the catalog, answers, updates, and hears in plain words what is wrong with it', async (t) => {
  const keeper = newKeeper();
  const server = await startCatalogServer();
  t.after(server.close);
  const folder = mkdtempSync(join(tmpdir(), 'catalog-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const put = (files: CatalogFiles) => {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  };
  const offer = (id: string, version: string, more: object = {}) => {
    const permissions = ['entities:read', 'entities:write'];
    const archive = pluginZip({ id, name: 'Writer', version, permissions });
    server.put({ [`${id}-${version}.zip`]: archive });
    const url = server.url.replace('catalog.json', `${id}-${version}.zip`);
    return entryFor(archive, { id, name: 'Writer', version, permissions, url, ...more });
  };
  const sky = offer('sky', '1.0.0', { name: 'Night sky', source: 'official', min_canonry: '99.0.0' });
  const first = signedIndex(keeper, [offer('writer', '1.0.0'), sky]);
  put({ ...first, 'catalog.json.sig': newKeeper().sign(Buffer.from('something else')) });

  const studio = await startStudio(t, {
    PLUGIN_CATALOG: join(folder, 'catalog.json'),
    PLUGIN_CATALOG_KEY: keeper.key,
    ALLOW_PRIVATE_ENDPOINTS: 'true',
  });
  const page = await studio.openAsOwner(CATALOG, { ...WINDOW, expected: [/status of 502/] });
  const alert = page.getByRole('alert').filter({ hasText: 'The catalog is not signed by the keeper' });
  await alert.waitFor();
  assert.equal(await page.getByRole('heading', { level: 3 }).count(), 0);
  await noAxeFaults(page);

  put(first);
  await alert.getByRole('button', { name: 'Try again' }).click();
  const writer = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Writer' }) });
  await writer.getByText('it asks an admin whether it may', { exact: false }).waitFor();
  await page.getByText('It needs Canonry 99.0.0 or newer.').waitFor();
  assert.equal(await page.getByRole('button', { name: /^Install/ }).count(), 1);
  await page.getByText('2 plugins').waitFor();
  await page.getByRole('link', { name: 'Official' }).click();
  await page.getByText('1 plugin', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await page.getByLabel('Find in the catalog').fill('writer');
  await page.getByText('1 plugin', { exact: true }).waitFor();
  await writer.getByText('Details', { exact: true }).click();
  await writer.getByText(/^[0-9a-f]{64}$/).waitFor();
  await noAxeFaults(page);

  server.state('away');
  await writer.getByRole('button', { name: 'Install Writer' }).click();
  await page.getByText('The archive cannot be fetched', { exact: false }).waitFor();
  await page.getByText('Writer was not installed, and nothing was changed.').waitFor();
  server.state('up');
  await writer.getByRole('button', { name: 'Install Writer' }).click();
  const dialog = page.getByRole('dialog', { name: 'What Writer wants to do' });
  await dialog.getByLabel('change entries of this world').waitFor();
  await dialog.getByRole('button', { name: 'Allow what is marked' }).click();
  await writer.getByText('1.0.0 is installed', { exact: true }).waitFor();
  assert.equal(await writer.getByRole('button').count(), 0);
  assert.ok(existsSync(join(studio.content, '_Plugins/writer/plugin.json')));

  put(signedIndex(keeper, [offer('writer', '1.1.0')], { sequence: 2 }));
  await page.goto(PLUGINS);
  await page.getByRole('button', { name: 'Update to 1.1.0: Writer' }).waitFor();
  await page.getByRole('link', { name: 'Writer' }).click();
  await page.getByText('Version 1.1.0 is in the catalog.').waitFor();
  await page.getByRole('button', { name: 'Update to 1.1.0: Writer' }).click();
  await page.getByText('Version 1.1.0', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Update/ }).waitFor({ state: 'detached' });

  put(first);
  await page.goto(CATALOG);
  await page.getByText('The catalog is older than the one that was there before', { exact: false }).waitFor();
  await page.getByText('What you see is the last catalog that was good.').waitFor();
  await noAxeFaults(page);
});
