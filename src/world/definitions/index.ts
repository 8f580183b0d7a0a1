export { requireTag, tagOf } from './files/file-tag.ts';
export { saveFile } from './files/save-file.ts';
export {
  DEFINITION_FILE_LIMIT,
  type DefinitionProblem,
  type FileKind,
  type Parsed,
  type PresentFile,
  presentFile,
  readPresent,
} from './files/text-file.ts';
export { definitionsLock } from './registry/edit-definition.ts';
export { readTemplateSet } from './registry/read-set.ts';
export type { TemplateRegistry } from './registry/registry.ts';
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
export { createTemplateEditor, type TemplateEditor } from './templates/edit-template.service.ts';
export { requireType } from './templates/find-type.ts';
export { templatesModule } from './templates/templates.module.ts';
