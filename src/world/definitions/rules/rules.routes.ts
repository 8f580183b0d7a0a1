import { type Route, route } from '../../../kit/route.ts';
import { type ProjectRequest, type Projects, requestProject } from '../../projects/index.ts';
import type { Project } from '../../records/index.ts';
import { tagged } from '../files/file-tag.ts';
import { contextOf } from '../registry/edit-definition.ts';
import type { TemplateRegistry } from '../registry/registry.ts';
import {
  addRule,
  deleteRule,
  updateRule,
  updateRulesMarkdown,
  updateSystemPrompt,
} from './edit-rules.contract.ts';
import type { RuleEditor } from './rule-editor.ts';
import { getRuleRevision, listRuleRevisions } from './rule-revisions.contract.ts';
import { getRuleSettings, updateRuleSettings } from './rule-settings.contract.ts';
import { getRules, getRulesIndex, getRulesMarkdown, listRuleFiles, reloadRules } from './rules.contract.ts';
import type { Rules } from './rules.service.ts';

interface Parts {
  projects: Projects;
  rules: Rules;
  editor: RuleEditor;
  followed: TemplateRegistry['followed'];
}

export function ruleRoutes({ projects, rules, editor, followed }: Parts): Route[] {
  const projectOf = (request: ProjectRequest) => requestProject(projects, request);
  /** The file after a change, once entities reflect it. */
  const changed = async (project: Project, type: string, status?: number) => {
    await followed(project);
    return tagged(await rules.read(project, type), status);
  };
  return [
    route(listRuleFiles, async (request) => rules.list(await projectOf(request))),
    route(getRulesIndex, async (request) => rules.index(await projectOf(request))),
    route(reloadRules, async (request) => {
      const project = await projectOf(request);
      const reloaded = await rules.reload(project);
      await followed(project);
      return reloaded;
    }),
    route(getRuleSettings, async (request) => rules.settings(await projectOf(request))),
    route(updateRuleSettings, async (request) => {
      const project = await projectOf(request);
      await editor.settings(project, { ...request.body }, contextOf(request));
      await followed(project);
      return rules.settings(project);
    }),
    route(getRules, async (request) =>
      tagged(await rules.read(await projectOf(request), request.params.type)),
    ),
    route(getRulesMarkdown, async (request) =>
      tagged(await rules.markdown(await projectOf(request), request.params.type)),
    ),
    route(updateRulesMarkdown, async (request) => {
      const project = await projectOf(request);
      const { type } = request.params;
      const { content, overwrite } = request.body;
      await editor.markdown(project, type, content, { ...contextOf(request), overwrite });
      await followed(project);
      return tagged(await rules.markdown(project, type));
    }),
    route(updateSystemPrompt, async (request) => {
      const project = await projectOf(request);
      const { type } = request.params;
      await editor.systemPrompt(project, type, request.body.system_prompt, contextOf(request));
      return tagged(await rules.read(project, type));
    }),
    route(addRule, async (request) => {
      const project = await projectOf(request);
      await editor.add(project, request.params.type, request.body, contextOf(request));
      return changed(project, request.params.type, 201);
    }),
    route(updateRule, async (request) => {
      const project = await projectOf(request);
      const { type, rule_id } = request.params;
      await editor.update(project, type, rule_id, request.body, contextOf(request));
      return changed(project, type);
    }),
    route(deleteRule, async (request) => {
      const project = await projectOf(request);
      const { type, rule_id } = request.params;
      await editor.remove(project, type, rule_id, contextOf(request));
      return changed(project, type);
    }),
    route(listRuleRevisions, async (request) =>
      rules.revisions(await projectOf(request), request.params.type),
    ),
    route(getRuleRevision, async (request) => {
      const { type, version } = request.params;
      return rules.revision(await projectOf(request), type, version);
    }),
  ];
}
