import assert from 'node:assert/strict';
import { join } from 'node:path';
import { buildPlugin } from '../../src/cli/plugin/build-plugin.ts';
import { zipOf } from '../../src/cli/plugin/zip.ts';
import { packageRoot } from '../../src/surfaces/package-root.ts';
import type { TestCore } from './core.ts';
import { uploadPlugin } from './plugins.ts';

export interface InCoreOptions {
  /** In place of those of the manifest. */
  permissions?: string[];
  settings?: Record<string, unknown>;
}

/** Builds a plugin of ours, and installs it in a service of a test, with everything granted that it asks for. */
export async function installPlugin(
  core: TestCore,
  id: string,
  { permissions, settings }: InCoreOptions = {},
): Promise<void> {
  const { manifest, files } = await buildPlugin(join(packageRoot(), 'plugins', id));
  assert.ok(manifest && files, 'the plugin cannot be built');
  const given: { permissions: string[] } = JSON.parse(new TextDecoder().decode(files.get('plugin.json')));
  const wanted = permissions ?? given.permissions;
  files.set('plugin.json', Buffer.from(JSON.stringify({ ...given, permissions: wanted })));
  const uploaded = await uploadPlugin<{
    permissions: { permission: string; needs_consent: boolean }[];
  }>(core, await zipOf(files));
  assert.equal(uploaded.status, 201, uploaded.text);
  const asked = uploaded.body.permissions
    .filter(({ needs_consent }) => needs_consent)
    .map(({ permission }) => permission);
  const granted = await core.call('POST', `/api/plugins/${manifest.id}/grants`, {
    body: { permissions: asked },
  });
  assert.equal(granted.status, 200, granted.text);
  if (settings === undefined) return;
  const set = await core.call('PUT', `/api/plugins/${manifest.id}/settings`, { body: settings });
  assert.equal(set.status, 200, set.text);
}
