import { type Route, route } from '../../../kit/route.ts';
import { type Projects, requestProject } from '../../projects/index.ts';
import { getAiSettings, updateAiSettings } from './ai-settings.contract.ts';
import type { AiSettingsService } from './ai-settings.service.ts';

export const aiSettingsRoutes = (projects: Projects, settings: AiSettingsService): Route[] => [
  route(getAiSettings, async (request) => settings.get(await requestProject(projects, request))),
  route(updateAiSettings, async (request) =>
    settings.change(await requestProject(projects, request), request.body, request.actor),
  ),
];
