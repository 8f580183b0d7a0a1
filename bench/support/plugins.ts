import { buildGuest } from '../../test/support/guests/build-guest.ts';
import { pluginZip } from '../../test/support/plugins.ts';
import type { Service } from './service.ts';

/** With every export, and nothing in them. */
const EMPTY_GUEST = `
export const metadata = { getInfo: () => ({ name: 'Empty', version: '1.0.0', description: '' }) };
export const hooks = {
  onEntityValidate() { return []; },
  onEntitySave() { return null; },
  onEntityCreate() {},
  onEntityDelete() {},
  onProjectInit() {},
};
export const routes = { handleRequest: () => ({ status: 200, headers: [], body: '{}' }) };
`;

/** Uploads plugins with a panel and a guest that does nothing, all of the same component. */
export async function installPlugins({ url, token }: Service, count: number): Promise<void> {
  const guest = await buildGuest(EMPTY_GUEST);
  for (let index = 0; index < count; index += 1) {
    const capabilities = {
      backend: { entry: 'guest.wasm' },
      frontend: {
        panels: [{ id: 'goals', title: 'Goals', location: 'entity-sidebar', url: 'panels/goals/index.html' }],
      },
    };
    const id = `plugin-${String(index).padStart(2, '0')}`;
    const form = new FormData();
    const archive = pluginZip({ id, capabilities, permissions: ['entities:read'] }, { 'guest.wasm': guest });
    form.append('file', new Blob([new Uint8Array(archive)]), 'plugin.zip');
    const headers = { authorization: `Bearer ${token}` };
    const reply = await fetch(`${url}/api/plugins/upload`, { method: 'POST', headers, body: form });
    if (reply.status !== 201) throw new Error(`the upload answered ${reply.status}: ${await reply.text()}`);
  }
}
