import { Reply, type Route, type RouteRequest, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import { type TemplateRegistry, tagOf } from '../templates/index.ts';
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

const tagged = (content: { checksum: string }, status?: number) =>
  new Reply(content, { headers: { etag: tagOf(content.checksum) }, ...(status && { status }) });

const contextOf = ({ actor, headers }: Pick<RouteRequest, 'actor' | 'headers'>) => ({
  actor,
  ifMatch: headers['if-match'],
});

interface Parts {
  projects: Projects;
  rules: Rules;
  editor: RuleEditor;
  followed: TemplateRegistry['followed'];
}

export function ruleRoutes({ projects, rules, editor, followed }: Parts): Route[] {
  return [
    route(listRuleFiles, async (request) => rules.list(await requestProject(projects, request))),
    route(getRulesIndex, async (request) => rules.index(await requestProject(projects, request))),
    route(reloadRules, async (request) => {
      const project = await requestProject(projects, request);
      const reloaded = await rules.reload(project);
      await followed(project);
      return reloaded;
    }),
    route(getRuleSettings, async (request) => rules.settings(await requestProject(projects, request))),
    route(updateRuleSettings, async (request) => {
      const project = await requestProject(projects, request);
      await editor.settings(project, { ...request.body }, contextOf(request));
      await followed(project);
      return rules.settings(project);
    }),
    route(getRules, async (request) => {
      const project = await requestProject(projects, request);
      return tagged(await rules.read(project, request.params.type));
    }),
    route(getRulesMarkdown, async (request) => {
      const project = await requestProject(projects, request);
      return tagged(await rules.markdown(project, request.params.type));
    }),
    route(updateRulesMarkdown, async (request) => {
      const project = await requestProject(projects, request);
      const { type } = request.params;
      const { content, overwrite } = request.body;
      await editor.markdown(project, type, content, { ...contextOf(request), overwrite });
      await followed(project);
      return tagged(await rules.markdown(project, type));
    }),
    route(updateSystemPrompt, async (request) => {
      const project = await requestProject(projects, request);
      const { type } = request.params;
      await editor.systemPrompt(project, type, request.body.system_prompt, contextOf(request));
      return tagged(await rules.read(project, type));
    }),
    route(addRule, async (request) => {
      const project = await requestProject(projects, request);
      await editor.add(project, request.params.type, request.body, contextOf(request));
      await followed(project);
      return tagged(await rules.read(project, request.params.type), 201);
    }),
    route(updateRule, async (request) => {
      const project = await requestProject(projects, request);
      const { type, rule_id } = request.params;
      await editor.update(project, type, rule_id, request.body, contextOf(request));
      await followed(project);
      return tagged(await rules.read(project, type));
    }),
    route(deleteRule, async (request) => {
      const project = await requestProject(projects, request);
      const { type, rule_id } = request.params;
      await editor.remove(project, type, rule_id, contextOf(request));
      await followed(project);
      return tagged(await rules.read(project, type));
    }),
    route(listRuleRevisions, async (request) =>
      rules.revisions(await requestProject(projects, request), request.params.type),
    ),
    route(getRuleRevision, async (request) => {
      const { type, version } = request.params;
      return rules.revision(await requestProject(projects, request), type, version);
    }),
  ];
}
