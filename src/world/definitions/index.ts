export { requireTag, tagged, tagOf } from './files/file-tag.ts';
export { type FileChange, saveFile, unreadable } from './files/save-file.ts';
export {
  DEFINITION_FILE_LIMIT,
  type DefinitionProblem,
  type FileKind,
  type Parsed,
  type PresentFile,
  presentFile,
  readPresent,
} from './files/text-file.ts';
export {
  type Advice,
  type FieldHelp,
  type PromptTexts,
  promptTexts,
  type SystemPrompt,
} from './prompts/prompt-texts.ts';
export {
  contextOf,
  createDefinitionEditor,
  definitionsLock,
  type EditContext,
} from './registry/edit-definition.ts';
export { readTemplateSet } from './registry/read-set.ts';
export type { TemplateRegistry } from './registry/registry.ts';
export { createTemplateRegistry } from './registry/registry.ts';
export {
  definitionAt,
  definitionProblems,
  fingerprint,
  fingerprints,
  type TemplateChange,
  type TemplateSet,
} from './registry/template-set.ts';
export { requireKey } from './rules/rule-key.ts';
export { ruleTexts } from './rules/rule-texts.ts';
export { rulesModule } from './rules/rules.module.ts';
export { createProjectSkills, type ProjectSkills } from './skills/project-skills.ts';
export { type SkillFile, skillKind } from './skills/skill-kind.ts';
export type { SkillSet } from './skills/skill-set.ts';
export { createTemplateEditor, type TemplateEditor } from './templates/edit-template.service.ts';
export { requireType } from './templates/find-type.ts';
export type { ShippedTemplate } from './templates/shipped-templates.service.ts';
export { templatesModule } from './templates/templates.module.ts';
