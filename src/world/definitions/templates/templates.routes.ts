import { type Route, route } from '../../../kit/route.ts';
import { type ProjectRequest, type Projects, requestProject } from '../../projects/index.ts';
import { tagged } from '../files/file-tag.ts';
import { contextOf } from '../registry/edit-definition.ts';
import type { TemplateRegistry } from '../registry/registry.ts';
import type { TemplateEditor } from './edit-template.service.ts';
import { getEntitySchema, getSchema, listSchemas } from './schemas.contract.ts';
import type { Schemas } from './schemas.service.ts';
import { addShippedTemplates } from './shipped-templates.contract.ts';
import type { createShippedTemplates } from './shipped-templates.service.ts';
import {
  getInstructions,
  getTemplate,
  listEntityTypes,
  listTemplates,
  reloadTemplates,
  updateInstructions,
  updateTemplate,
} from './templates.contract.ts';
import type { Templates } from './templates.service.ts';

interface Parts {
  projects: Projects;
  templates: Templates;
  editor: TemplateEditor;
  schemas: Schemas;
  addShipped: ReturnType<typeof createShippedTemplates>;
  followed: TemplateRegistry['followed'];
}

export function templateRoutes({
  projects,
  templates,
  editor,
  schemas,
  addShipped,
  followed,
}: Parts): Route[] {
  const projectOf = (request: ProjectRequest) => requestProject(projects, request);
  return [
    route(listTemplates, async (request) => templates.list(await projectOf(request))),
    route(listEntityTypes, async (request) => templates.types(await projectOf(request))),
    route(reloadTemplates, async (request) => {
      const project = await projectOf(request);
      const reloaded = await templates.reload(project);
      await followed(project);
      return reloaded;
    }),
    route(addShippedTemplates, async (request) => {
      const project = await projectOf(request);
      const added = await addShipped(project, request.body.pack_id);
      await followed(project);
      return added;
    }),
    route(getTemplate, async (request) =>
      tagged(await templates.read(await projectOf(request), request.params.name)),
    ),
    route(updateTemplate, async (request) => {
      const project = await projectOf(request);
      await editor.update(project, request.params.name, request.body, contextOf(request));
      await followed(project);
      return tagged(await templates.read(project, request.params.name));
    }),
    route(getInstructions, async (request) =>
      templates.instructions(await projectOf(request), request.params.name),
    ),
    route(updateInstructions, async (request) => {
      const project = await projectOf(request);
      const frontmatter = { generation_instructions: request.body.instructions };
      await editor.update(project, request.params.name, { frontmatter }, contextOf(request));
      return templates.instructions(project, request.params.name);
    }),
    route(listSchemas, async (request) => schemas.all(await projectOf(request))),
    route(getSchema, async (request) => schemas.one(await projectOf(request), request.params.type)),
    route(getEntitySchema, async (request) => schemas.one(await projectOf(request), request.params.type)),
  ];
}
