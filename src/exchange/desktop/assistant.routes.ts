import { type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../../world/projects/index.ts';
import { chat, listAiProviders } from './assistant.contract.ts';
import type { Assistant } from './assistant.service.ts';

const ENTITIES = 5;

export const assistantRoutes = ({
  projects,
  assistant,
}: {
  projects: Projects;
  assistant: Assistant;
}): Route[] => [
  // None can be configured in this version.
  route(listAiProviders, () => ({ providers: [], active: null })),
  route(chat, async (request) => {
    // Asking a question must not create a missing project.
    const project = await requestProject(projects, { ...request, changes: false });
    return assistant.answer(project, request.body.message, request.body.limit ?? ENTITIES);
  }),
];
