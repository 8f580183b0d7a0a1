import type { TestCore, TestReply } from './core.ts';
import { zipOf } from './zip.ts';

export type PluginFiles = Record<string, string | Uint8Array>;

export const zipOfFiles = (files: PluginFiles): Uint8Array =>
  zipOf(Object.entries(files).map(([name, content]) => ({ name, content })));

/** A manifest that can be uploaded. */
export const manifestOf = (more: object = {}): object => ({
  id: 'word-count',
  name: 'Word count',
  version: '1.0.0',
  description: 'Counts words.',
  trust_tier: 'community',
  ...more,
});

/** The files of a plugin with one panel. */
export const pluginFiles = (more: object = {}, files: PluginFiles = {}): PluginFiles => ({
  'plugin.json': JSON.stringify(
    manifestOf({
      capabilities: {
        frontend: {
          panels: [
            { id: 'goals', title: 'Goals', location: 'entity-sidebar', url: 'panels/goals/index.html' },
          ],
        },
      },
      ...more,
    }),
  ),
  'panels/goals/index.html':
    '<!doctype html><html><head><title>Goals</title></head><body>Goals</body></html>',
  'panels/goals/goals.js': 'export const goals = 1;\n',
  ...files,
});

export const pluginZip = (more: object = {}, files: PluginFiles = {}): Uint8Array =>
  zipOfFiles(pluginFiles(more, files));

/** Of any surface; `adminToken` is used where no other token is given. */
export type UploadTarget = Pick<TestCore, 'app'> & { adminToken?: string };

export interface UploadOptions {
  token?: string | null;
  filename?: string;
  project?: string;
}

/** Sends an archive as the form that people send. */
export async function uploadPlugin<Body = Record<string, unknown>>(
  core: UploadTarget,
  archive: Uint8Array,
  { token = core.adminToken ?? null, filename = 'plugin.zip', project }: UploadOptions = {},
): Promise<TestReply<Body>> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(archive)]), filename);
  const encoded = new Response(form);
  const reply = await core.app.inject({
    method: 'POST',
    url: '/api/plugins/upload',
    headers: {
      'content-type': encoded.headers.get('content-type') ?? '',
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(project !== undefined && { 'x-project-id': project }),
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
  return { status: reply.statusCode, body: reply.json<Body>(), headers: reply.headers, text: reply.body };
}
