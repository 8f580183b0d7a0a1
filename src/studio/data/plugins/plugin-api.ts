import { calls } from 'virtual:canonry/plugin-calls';
import { type Client, createCallClient, type Transport } from '../../../client/call-client.ts';
import type { pluginContracts } from '../../build/contracts.ts';
import { sendTo } from '../api.ts';

type PluginApi = Client<typeof pluginContracts>;

/** The routes of plugins in one world, but for the list of them. */
export const pluginApiOf = (project: string, by?: Transport): PluginApi =>
  createCallClient<typeof pluginContracts>(
    calls as Parameters<typeof createCallClient<typeof pluginContracts>>[0],
    { baseUrl: '', fetch: sendTo(project, by) },
  );
