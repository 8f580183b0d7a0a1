import { type Route, route } from '../../kit/route.ts';
import type { Projects } from '../projects/projects.service.ts';
import { requestProject } from '../projects/request-project.ts';
import { chat, listAiProviders } from './assistant.contract.ts';
import type { Assistant } from './assistant.service.ts';

/** What people use; none can be configured yet. */
const KNOWN = [
  { id: 'ollama', name: 'Ollama', local: true },
  { id: 'openai_compatible', name: 'Any service with the OpenAI API', local: false },
  { id: 'openai', name: 'OpenAI', local: false },
  { id: 'anthropic', name: 'Anthropic', local: false },
  { id: 'google', name: 'Google', local: false },
];
const ENTITIES = 5;

export const assistantRoutes = ({
  projects,
  assistant,
}: {
  projects: Projects;
  assistant: Assistant;
}): Route[] => [
  route(listAiProviders, () => ({
    providers: KNOWN.map((provider) => ({ ...provider, configured: false })),
    active: null,
  })),
  route(chat, async (request) => {
    // It reads: a project that is not there is not made for a question.
    const project = await requestProject(projects, { ...request, changes: false });
    return assistant.answer(project, request.body.message, request.body.limit ?? ENTITIES);
  }),
];
