import { messageOf } from '../../kit/errors.ts';
import { eventStream, wantsEvents } from '../../kit/http/event-stream.ts';
import type { Log } from '../../kit/log.ts';
import { type Route, type RouteRequest, route } from '../../kit/route.ts';
import { aiCallerOf } from '../models/index.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import type { Project } from '../records/index.ts';
import { generate, refineProposal } from './generation.contract.ts';
import type { Generation, GenerationService } from './generation.service.ts';

export interface GenerationRoutesOptions {
  projects: Projects;
  generation: GenerationService;
  log: Log;
}

export function generationRoutes({ projects, generation, log }: GenerationRoutesOptions): Route[] {
  /** As a preview, as events, or as one reply. */
  async function answer(
    request: RouteRequest & { body: { dry_run?: boolean; prompt_hash?: string } },
    project: Project,
    begun: Generation,
  ) {
    const preview = generation.preview(begun);
    if (request.body.dry_run === true) return preview;
    generation.requireShown(begun, request.body.prompt_hash);
    const job = { project, caller: aiCallerOf(request) };
    if (!wantsEvents(request))
      return generation.generate({ ...job, send: async () => {}, signal: request.callerGone() }, begun);
    return eventStream(
      async (send, signal) => {
        await send('context', preview);
        await generation.generate({ ...job, send, signal }, begun);
      },
      { onFailure: (error) => log.error(`a generation failed: ${messageOf(error)}`) },
    );
  }

  return [
    route(generate, async (request) => {
      const project = await requestProject(projects, request);
      return answer(request, project, await generation.begin(project, aiCallerOf(request), request.body));
    }),
    route(refineProposal, async (request) => {
      const project = await requestProject(projects, request);
      const { params, body } = request;
      return answer(
        request,
        project,
        await generation.beginRefining(project, aiCallerOf(request), params.id, body),
      );
    }),
  ];
}
