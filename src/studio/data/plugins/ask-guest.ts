import { ClientError, errorFrom } from '../../../client/error.ts';
import { customAddress } from '../../domain/plugins/custom-address.ts';
import type { HostCall } from '../../domain/plugins/host-calls.ts';
import type { Plugin } from '../../domain/plugins/plugin-list.ts';
import { sendTo } from '../api.ts';

type Asked = Extract<HostCall, { call: 'custom' }>['args'];

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** The answer of a plugin's guest to a page of the same plugin: JSON, or else a text; null for 204, which has no content. */
export async function askGuest(
  project: string,
  plugin: Plugin,
  { method, path, body }: Asked,
): Promise<unknown> {
  const url = customAddress(plugin.id, path);
  if (url === null) throw new ClientError(400, "'custom' needs path: one within the plugin, such as /names");
  if (!METHODS.has(method))
    throw new ClientError(400, `'custom' needs method: one of ${[...METHODS].join(', ')}`);
  const response = await sendTo(project)(url, { method, ...bodyOf(method, body) });
  if (!response.ok) throw await errorFrom(response);
  if (response.status === 204) return null;
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const text = await response.text();
  return isJson ? parsed(text) : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ClientError(502, 'The plugin says that its answer is JSON, but it is not');
  }
}

function bodyOf(method: string, body: unknown) {
  const takesNone = body === undefined || method === 'GET' || method === 'DELETE';
  if (takesNone) return { headers: {} };
  return typeof body === 'string'
    ? { headers: { 'content-type': 'text/plain; charset=utf-8' }, body }
    : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
