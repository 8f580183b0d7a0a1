import { strongest } from '../../access/plans.ts';
import { callerOf } from '../../kit/principal.ts';
import { ReadyJson, type Route, route } from '../../kit/route.ts';
import type { ConflictRecords } from '../../world/conflict-records/index.ts';
import type { Resolve } from '../../world/conflicts/index.ts';
import { readyJson } from '../../world/entities/index.ts';
import { instantOf } from '../../world/mirror/index.ts';
import { type Projects, requestProject } from '../../world/projects/index.ts';
import type { Batches } from '../../world/uploads/index.ts';
import type { AnsweredOnce } from './answered-once.ts';
import { pullFromCloud } from './pull.contract.ts';
import type { Pull } from './pull.service.ts';
import { pushToCloud } from './push.contract.ts';
import type { Push } from './push.service.ts';
import { resolveDesktopConflict } from './resolve.contract.ts';

const PAGE = 500;

export function replicationRoutes(options: {
  projects: Projects;
  conflicts: ConflictRecords;
  resolve: Resolve;
  push: Push;
  pull: Pull;
  batches: Batches;
  answeredOnce: AnsweredOnce;
}): Route[] {
  const { projects, conflicts, resolve, push, pull, batches, answeredOnce } = options;
  return [
    route(pushToCloud, async (request) => {
      const { actor, plan, body } = request;
      instantOf(body.client_timestamp, 'client_timestamp');
      // A new project starts empty: its content comes with the push.
      const project = await requestProject(projects, request, 'empty');
      const caller = callerOf(request);
      const pusher = {
        actor,
        plan,
        autoMerge: body.auto_merge ?? false,
        role: strongest(caller),
        sent: (batch: string, sha256: string) => batches.sent(request, batch, sha256),
      };
      const asking = { userId: caller.userId, key: request.headers['idempotency-key'], body };
      return new ReadyJson(await answeredOnce(project, asking, () => push(project, body, pusher)));
    }),
    route(pullFromCloud, async (request) => {
      const { limit = PAGE, files = false, cursor, since } = request.query;
      // Validated before the project is created.
      if (since !== undefined) instantOf(since);
      return pull(await requestProject(projects, request, 'empty'), { limit, files, cursor, since });
    }),
    route(resolveDesktopConflict, async (request) => {
      const project = await requestProject(projects, request);
      const { conflict_id: id } = request.params;
      const { actor, plan } = request;
      const entity = await readyJson(project, await resolve(project, id, request.body, { actor, plan }));
      const resolved = await conflicts.find(project, id);
      const conflict = JSON.stringify(resolved && (await conflicts.show(project, resolved)));
      return new ReadyJson(`${conflict.slice(0, -1)},"entity":${entity}}`);
    }),
  ];
}
