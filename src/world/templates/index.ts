export { DEFINITION_FILE_LIMIT, type DefinitionProblem, type DefinitionRead } from './definition-file.ts';
export { createTemplateEditor, type TemplateEditor } from './edit-template.service.ts';
export { requireType } from './find-type.ts';
export {
  type RuleFile,
  type RuleFiles,
  readRuleFiles,
  readRuleText,
  ruleDocumentsOf,
  ruleSettingsOf,
} from './rule-files.ts';
export { ruleProblems } from './rule-set.ts';
export { ruleTexts } from './rule-texts.ts';
export { readTemplateFiles } from './template-files.ts';
export {
  definitionAt,
  definitionProblems,
  fingerprint,
  fingerprints,
  type TemplateChange,
  type TemplateSet,
  templateSetOf,
} from './template-set.ts';
export { requireTag, tagOf } from './template-tag.ts';
export { templatesModule } from './templates.module.ts';
export type { TemplateRegistry } from './templates.registry.ts';
