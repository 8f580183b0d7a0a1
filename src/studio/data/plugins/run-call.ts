import { ClientError } from '../../../client/error.ts';
import type { HostCall } from '../../domain/plugins/host-calls.ts';
import type { CallResult } from '../../domain/plugins/host-messages.ts';
import type { Plugin } from '../../domain/plugins/plugin-list.ts';
import { type Api, apiOf } from '../api.ts';
import { cache, keys, markLists } from '../cache.ts';
import { askGuest } from './ask-guest.ts';
import { pluginApiOf } from './plugin-api.ts';

type UpdateBody = Parameters<Api['updateEntity']>[0]['body'];
type ListQuery = NonNullable<Parameters<Api['listEntities']>[0]['query']>;
/** A file is for the user, not for the service. */
type ServiceCall = Exclude<HostCall, { call: 'files.offer' }>;
type ArgsOf<Name extends HostCall['call']> = Extract<HostCall, { call: Name }>['args'];

/** Does what a page of a plugin has asked for, with the rights of the user. Never rejects. */
export async function runHostCall(project: string, plugin: Plugin, call: ServiceCall): Promise<CallResult> {
  try {
    return { ok: true, result: await run(project, plugin, call) };
  } catch (error) {
    if (error instanceof ClientError) return { ok: false, status: error.status, detail: error.detail };
    return { ok: false, status: 503, detail: 'The service does not answer' };
  }
}

function run(project: string, plugin: Plugin, { call, args }: ServiceCall): Promise<unknown> {
  const api = apiOf(project);
  const plugins = pluginApiOf(project);
  const ofPlugin = { pluginId: plugin.id };
  switch (call) {
    case 'entities.get':
      return api.getEntity({ params: { type: args.entity_type, id: args.entity_id } });
    case 'entities.list': {
      const { entity_type: type, ...query } = args;
      // The service says what it cannot sort by.
      return api.listEntities({ params: { type }, query: query as ListQuery });
    }
    case 'entities.search': {
      const { query: q, ...query } = args;
      return api.searchAll({ query: { ...query, q, view: 'brief' } });
    }
    case 'entities.update':
      return update(project, args);
    case 'entities.graph': {
      const { entity_type: type, entity_id: id, ...query } = args;
      return api.getGraph({ query: { ...query, around: `${type}:${id}` } });
    }
    case 'types.list':
      return api.listEntityTypes();
    case 'types.schema':
      return api.getSchema({ params: { type: args.entity_type } });
    case 'data.list': {
      const { record_type, ...query } = args;
      return plugins.listPluginRecords({ params: { ...ofPlugin, record_type }, query });
    }
    case 'data.get':
      return plugins.getPluginRecord({ params: { ...ofPlugin, ...args } });
    case 'data.delete':
      return plugins.deletePluginRecord({ params: { ...ofPlugin, ...args } });
    case 'data.create': {
      const { record_type, data } = args;
      return plugins.createPluginRecord({ params: { ...ofPlugin, record_type }, body: data });
    }
    case 'data.put': {
      const { data, ...record } = args;
      return plugins.putPluginRecord({ params: { ...ofPlugin, ...record }, body: data });
    }
    case 'settings.get':
      return plugins.getPluginUserSettings({ params: { id: plugin.id }, query: { effective: true } });
    case 'settings.set_user':
      return plugins.setPluginUserSettings({ params: { id: plugin.id }, body: args.values });
    case 'custom':
      return askGuest(project, plugin, args);
  }
}

/** Merges with what others save meanwhile, or have saved since `base_version`; what collides is refused with 409. */
async function update(
  project: string,
  { entity_type: type, entity_id: id, fields: given, base_version }: ArgsOf<'entities.update'>,
) {
  const api = apiOf(project);
  const { name, status, markdown_body, ...fields } = given;
  const version = base_version ?? (await api.getEntity({ params: { type, id } })).version;
  const attributes = Object.entries({ name, status, markdown_body }).filter(
    ([, value]) => value !== undefined,
  );
  // The service says what is wrong with a value.
  const body = {
    ...Object.fromEntries(attributes),
    fields,
    base_version: version,
    on_conflict: 'report',
  } as UpdateBody;
  const saved = await api.updateEntity({ params: { type, id }, body });
  cache.setQueryData(keys.entity(project, type, id), saved);
  markLists(project, [type]);
  return saved;
}
