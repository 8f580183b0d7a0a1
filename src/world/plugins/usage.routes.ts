import { type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import type { RecordsDb } from '../records/index.ts';
import type { CallCounts } from './guest/call-counts.service.ts';
import type { CallCount } from './guest/call-counts.store.ts';
import { sizeOfValues } from './guest/values.store.ts';
import { bytesOfPlugin } from './plugin-rows.store.ts';
import type { PluginsDb } from './plugin-states.store.ts';
import type { Plugins } from './plugins.service.ts';
import { sizeOfRecords } from './records.store.ts';
import { getPluginUsage } from './usage.contract.ts';

export interface UsageRouteOptions {
  projects: Projects;
  plugins: Plugins;
  counts: CallCounts;
}

export const usageRoute = ({ projects, plugins, counts }: UsageRouteOptions): Route =>
  route(getPluginUsage, async (request) => {
    const project = await requestProject(projects, request);
    const { id } = request.params;
    await plugins.require(project, id);
    const { database } = project;
    const file_bytes = await database.read((db: RecordsDb) => bytesOfPlugin(db, project, id));
    const records = await database.read((db: PluginsDb) => sizeOfRecords(db, project, id));
    const values = await database.read((db: PluginsDb) => sizeOfValues(db, project, id, null));
    return {
      file_bytes,
      records: records.records,
      record_bytes: records.bytes,
      values: values.values,
      value_bytes: values.bytes,
      calls: (await counts.of(project, id)).map(shown),
    };
  });

const shown = ({ plugin_id: _, took_us, slowest_us, ...count }: CallCount) => ({
  ...count,
  mean_ms: milliseconds(took_us / count.calls),
  slowest_ms: milliseconds(slowest_us),
});

/** To a hundredth. */
const milliseconds = (us: number): number => Math.round(us / 10) / 100;
