import type { FileStore } from '../../../platform/files/files.ts';
import { type RuleFile, ruleKind } from '../rules/rule-kind.ts';
import { type SkillFile, skillKind } from '../skills/skill-kind.ts';
import { readTemplateFiles, type TemplateFile } from '../templates/template-kind.ts';
import { type DefinitionKind, readDefinitions } from './definition-kind.ts';
import { type TemplateSet, templateSetOf } from './template-set.ts';

/** The definitions in force before, by path. */
export interface KnownDefinitions {
  templates: ReadonlyMap<string, TemplateFile>;
  rules: ReadonlyMap<string, RuleFile>;
  skills: ReadonlyMap<string, SkillFile>;
}

/** Reads the definitions of a folder. `known` stands in for unreadable files, and for all of them if there are no templates. */
export async function readTemplateSet(
  store: FileStore,
  known: KnownDefinitions = { templates: new Map(), rules: new Map(), skills: new Map() },
): Promise<TemplateSet> {
  const templates = await readTemplateFiles(store, known.templates);
  const isVanished = templates.isEmpty && known.templates.size > 0;
  const others = async <File extends { checksum: string }>(
    kind: DefinitionKind<File>,
    files: ReadonlyMap<string, File>,
  ) => (isVanished ? { files, problems: [] } : readDefinitions(store, kind, files));
  const rules = await others(ruleKind, known.rules);
  return templateSetOf(templates, rules, await others(skillKind, known.skills));
}
