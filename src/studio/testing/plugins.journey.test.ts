import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samplePluginZip } from './plugin-sample.ts';
import { startStudio } from './studio.ts';

test('smoke', async (t) => {
  const studio = await startStudio(t);
  const page = await studio.openAsOwner('/w/default/character/mira_vale', {
    serviceWorkers: 'block',
    viewport: { width: 1500, height: 900 },
  });
  const reply = await page.request.post('/api/plugins/upload', {
    headers: { origin: studio.url, 'x-project-id': 'default' },
    multipart: {
      file: {
        name: 'p.zip',
        mimeType: 'application/zip',
        buffer: samplePluginZip(),
      },
    },
  });
  console.log(reply.status(), await reply.text());
  const g = await page.request.post('/api/plugins/sample/grants', {
    headers: { origin: studio.url },
    data: { permissions: ['entities:write'] },
  });
  console.log(g.status(), await g.text());
  const frame = page.frameLocator('iframe[title^="At the side"]');
  await frame.locator('#entity').filter({ hasText: 'character/mira_vale' }).waitFor();
  console.log(await frame.locator('#name').textContent(), await frame.locator('#theme').textContent());
  await page.screenshot({ path: '/tmp/shot.png' });
  assert.ok(true);
});
