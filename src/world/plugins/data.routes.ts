import { invalidField } from '../../kit/errors.ts';
import { type Route, route } from '../../kit/route.ts';
import { filtersOf } from '../entities/index.ts';
import { type ProjectRequest, type Projects, requestProject } from '../projects/index.ts';
import type { Project } from '../records/index.ts';
import {
  createPluginRecord,
  deletePluginRecord,
  getPluginRecord,
  listPluginRecords,
  putPluginRecord,
} from './data.contract.ts';
import type { Plugins } from './plugins.service.ts';
import type { PluginRecords } from './records.service.ts';
import type { RecordPlace } from './records.store.ts';

type DataRequest = ProjectRequest & { params: { pluginId: string; record_type: string } };

interface Asked {
  project: Project;
  place: RecordPlace;
}

export function pluginDataRoutes(projects: Projects, plugins: Plugins, records: PluginRecords): Route[] {
  async function asked(request: DataRequest): Promise<Asked> {
    const { pluginId, record_type: recordType } = request.params;
    const project = await requestProject(projects, request);
    await plugins.requireRunning(project, pluginId);
    return { project, place: { pluginId, recordType } };
  }

  return [
    route(createPluginRecord, async (request) => {
      const { project, place } = await asked(request);
      return records.create(project, place, request.body, request.actor);
    }),
    route(listPluginRecords, async (request) => {
      const { project, place } = await asked(request);
      const { limit = 50, offset = 0, entity_type, entity_id } = request.query;
      if (entity_id !== undefined && entity_type === undefined)
        throw invalidField('entity_id', 'needs entity_type: ids are those of a type');
      const fields = filtersOf(request.rawQuery);
      return records.page(project, place, {
        limit,
        offset,
        entityType: entity_type,
        entityId: entity_id,
        fields,
      });
    }),
    route(getPluginRecord, async (request) => {
      const { project, place } = await asked(request);
      return records.get(project, place, request.params.record_id);
    }),
    route(putPluginRecord, async (request) => {
      const { project, place } = await asked(request);
      return records.put(project, place, request.params.record_id, request.body, request.actor);
    }),
    route(deletePluginRecord, async (request) => {
      const { project, place } = await asked(request);
      await records.remove(project, place, request.params.record_id);
      return { message: 'The record was deleted' };
    }),
  ];
}
