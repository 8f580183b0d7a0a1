import type { Calls, Panel, PluginRecord } from '../host.ts';

type Handlers = {
  [Name in keyof Calls]?: (args: Calls[Name][0]) => Calls[Name][1] | Promise<Calls[Name][1]>;
};

/** For tests: a host that can answer some calls, and refuses the others. */
export function fakeCalls(handlers: Handlers): Panel['call'] {
  return async (name, args) => {
    const handler = handlers[name];
    if (handler === undefined) throw new Error(`The test answers no ${name}`);
    return handler(args);
  };
}

/** For tests: records in memory, the newest first. */
export function fakeRecords(given: readonly PluginRecord[] = []) {
  let records = [...given];
  const put = (record_type: string, record_id: string, data: Record<string, unknown>): PluginRecord => {
    const former = records.find((one) => one.record_id === record_id);
    const now = new Date(2026, 0, 1, 0, 0, records.length).toISOString();
    const text = (value: unknown) => (typeof value === 'string' ? value : null);
    const record: PluginRecord = {
      record_type,
      record_id,
      entity_type: text(data.entity_type),
      entity_id: text(data.entity_id),
      data,
      created_at: former?.created_at ?? now,
      updated_at: now,
    };
    records = [record, ...records.filter((one) => one !== former)];
    return record;
  };
  const call = fakeCalls({
    'data.put': ({ record_type, record_id, data }) => put(record_type, record_id, data),
    'data.create': ({ record_type, data }) => put(record_type, `made-${records.length}`, data),
    'data.get': ({ record_id }) => {
      const found = records.find((one) => one.record_id === record_id);
      if (found === undefined) throw Object.assign(new Error('there is no such record'), { status: 404 });
      return found;
    },
    'data.delete': ({ record_id }) => {
      records = records.filter((one) => one.record_id !== record_id);
      return { message: '' };
    },
    'data.list': ({ record_type, entity_type, entity_id, limit = 50, offset = 0 }) => {
      const found = records
        .filter((one) => one.record_type === record_type)
        .filter(
          (one) =>
            entity_id === undefined || (one.entity_type === entity_type && one.entity_id === entity_id),
        );
      return { records: found.slice(offset, offset + limit), total: found.length, limit, offset };
    },
  });
  return { call, all: (): readonly PluginRecord[] => records };
}
