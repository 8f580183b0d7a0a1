import { createPauses } from '../../kit/pauses.ts';
import { ReadyJson, type Route, route } from '../../kit/route.ts';
import { type ConflictRecords, findConflictRow, listConflictIds } from '../conflict-records/index.ts';
import { readyJson } from '../entities/index.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import { listConflicts, resolveConflict } from './conflicts.contract.ts';
import type { Resolve } from './resolve.service.ts';

export function conflictRoutes(options: {
  projects: Projects;
  records: ConflictRecords;
  resolve: Resolve;
}): Route[] {
  const { projects, records, resolve } = options;
  return [
    route(listConflicts, async (request) => {
      const project = await requestProject(projects, request);
      const { limit = 50, offset = 0, status = 'unresolved' } = request.query;
      const page = { limit, offset, status: status === 'all' ? null : status };
      const { total, ids } = await listConflictIds(project, page);
      const conflicts = [];
      const pause = createPauses();
      for (const id of ids) {
        const row = await findConflictRow(project, id);
        if (row) conflicts.push(await records.show(project, row));
        await pause();
      }
      return { total, limit, offset, conflicts };
    }),
    route(resolveConflict, async (request) => {
      const project = await requestProject(projects, request);
      const { conflict_id: id } = request.params;
      const { actor, plan } = request;
      const entity = await readyJson(project, await resolve(project, id, request.body, { actor, plan }));
      const resolved = await findConflictRow(project, id);
      const conflict = resolved && (await records.show(project, resolved));
      return new ReadyJson(`{"conflict":${JSON.stringify(conflict)},"entity":${entity}}`);
    }),
  ];
}
