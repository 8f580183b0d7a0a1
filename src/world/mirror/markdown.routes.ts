import { type Route, route } from '../../kit/route.ts';
import type { TemplateRegistry } from '../definitions/index.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import {
  exportMarkdown,
  formatMarkdown,
  fromMarkdown,
  saveToMarkdown,
  validateFrontmatter,
} from './markdown.contract.ts';
import type { Markdown } from './markdown.service.ts';
import { checkFrontmatter } from './validate-frontmatter.ts';

export function markdownRoutes(options: {
  projects: Projects;
  templates: TemplateRegistry;
  markdown: Markdown;
}): Route[] {
  const { projects, templates, markdown } = options;
  return [
    route(saveToMarkdown, async (request) => {
      const { type, id } = request.params;
      const overwrite = request.query.overwrite === 'true' || request.body?.overwrite === true;
      return markdown.save(await requestProject(projects, request), type, id, {
        overwrite,
        actor: request.actor,
      });
    }),
    route(fromMarkdown, async (request) => {
      const { type, id } = request.params;
      return markdown.load(await requestProject(projects, request), type, id);
    }),
    route(exportMarkdown, async (request) => {
      const { type, id } = request.params;
      return markdown.exported(await requestProject(projects, request), type, id);
    }),
    route(formatMarkdown, (request) => markdown.format(request.body.content)),
    route(validateFrontmatter, async (request) => {
      const project = await requestProject(projects, request);
      return checkFrontmatter(project, await templates.of(project), request.body);
    }),
  ];
}
