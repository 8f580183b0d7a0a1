import { Reply, type Route, type RouteRequest, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import type { TemplateEditor } from './edit-template.service.ts';
import { getEntitySchema, getSchema, listSchemas } from './schemas.contract.ts';
import type { Schemas } from './schemas.service.ts';
import { tagOf } from './template-tag.ts';
import {
  getInstructions,
  getTemplate,
  listEntityTypes,
  listTemplates,
  reloadTemplates,
  updateInstructions,
  updateTemplate,
} from './templates.contract.ts';
import type { TemplateRegistry } from './templates.registry.ts';
import type { Templates } from './templates.service.ts';

interface Parts {
  projects: Projects;
  templates: Templates;
  editor: TemplateEditor;
  schemas: Schemas;
  followed: TemplateRegistry['followed'];
}

const tagged = (content: { checksum: string }) =>
  new Reply(content, { headers: { etag: tagOf(content.checksum) } });

const contextOf = ({ actor, headers }: Pick<RouteRequest, 'actor' | 'headers'>) => ({
  actor,
  ifMatch: headers['if-match'],
});

export function templateRoutes({ projects, templates, editor, schemas, followed }: Parts): Route[] {
  return [
    route(listTemplates, async (request) => templates.list(await requestProject(projects, request))),
    route(listEntityTypes, async (request) => templates.types(await requestProject(projects, request))),
    route(reloadTemplates, async (request) => {
      const project = await requestProject(projects, request);
      const reloaded = await templates.reload(project);
      await followed(project);
      return reloaded;
    }),
    route(getTemplate, async (request) => {
      const project = await requestProject(projects, request);
      return tagged(await templates.read(project, request.params.name));
    }),
    route(updateTemplate, async (request) => {
      const project = await requestProject(projects, request);
      await editor.update(project, request.params.name, request.body, contextOf(request));
      await followed(project);
      return tagged(await templates.read(project, request.params.name));
    }),
    route(getInstructions, async (request) =>
      templates.instructions(await requestProject(projects, request), request.params.name),
    ),
    route(updateInstructions, async (request) => {
      const project = await requestProject(projects, request);
      const frontmatter = { generation_instructions: request.body.instructions };
      await editor.update(project, request.params.name, { frontmatter }, contextOf(request));
      return templates.instructions(project, request.params.name);
    }),
    route(listSchemas, async (request) => schemas.all(await requestProject(projects, request))),
    route(getSchema, async (request) =>
      schemas.one(await requestProject(projects, request), request.params.type),
    ),
    route(getEntitySchema, async (request) =>
      schemas.one(await requestProject(projects, request), request.params.type),
    ),
  ];
}
