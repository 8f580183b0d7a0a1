import type { Page } from 'playwright-core';
import { samplePluginZip } from './plugin-sample.ts';
import type { Studio } from './studio.ts';

export const PLUGINS = '/w/default/-/plugins';

/** A service worker would answer in the place of the service. */
const WIDE = { serviceWorkers: 'block', viewport: { width: 1500, height: 900 } } as const;

export const chooseFile = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/zip', buffer });

/** Uploads the sample as an admin does, and answers what it asks. */
export async function installSample(
  studio: Studio,
  { allow, expected = [] }: { allow?: (page: Page) => Promise<void>; expected?: readonly RegExp[] } = {},
): Promise<Page> {
  const page = await studio.openAsOwner(PLUGINS, { ...WIDE, expected });
  await page.getByRole('heading', { name: 'No plugin is installed' }).waitFor();
  await chooseFile(page, 'sample.zip', samplePluginZip());
  const dialog = page.getByRole('dialog', { name: 'What Sample wants to do' });
  await dialog.getByLabel('change entries of this world').waitFor();
  await allow?.(page);
  await dialog.getByRole('button', { name: 'Allow what is marked' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('switch', { name: 'Enable Sample' }).waitFor();
  return page;
}
