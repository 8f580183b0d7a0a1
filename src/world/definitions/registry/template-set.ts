import { readDocument } from '../../../content/frontmatter/index.ts';
import { typeFolders } from '../../../content/paths/index.ts';
import {
  lineOfReference,
  lostReferences,
  type ResolveProblem,
  resolveTemplates,
  type TemplateDefinition,
} from '../../../content/template/index.ts';
import { sha256Hex } from '../../../kit/crypto.ts';
import type { DefinitionProblem } from '../files/text-file.ts';
import type { RuleFile, RuleFiles } from '../rules/rule-kind.ts';
import { rulePrint, ruleProblems, settingsProblems, withRules } from '../rules/rule-set.ts';
import type { SkillFile } from '../skills/skill-kind.ts';
import { type SkillSet, skillSetOf } from '../skills/skill-set.ts';
import type { TemplateFile } from '../templates/template-kind.ts';
import type { DefinitionFiles } from './definition-kind.ts';

export interface TemplateSet {
  /** By entity type, in alphabetical order. */
  types: ReadonlyMap<string, TemplateDefinition>;
  /** By the name of the type's folder. */
  byFolder: ReadonlyMap<string, TemplateDefinition>;
  /** By path, including templates that another folder's template overrides. */
  files: ReadonlyMap<string, TemplateFile>;
  problems: readonly DefinitionProblem[];
  /** The project's rule files; the definitions in `types` carry the rules that apply to them. */
  rules: RuleFiles;
  /** The project's skill files; entities do not depend on them. */
  skills: SkillSet;
  /** Changes whenever a definition in force changes. */
  version: string;
}

export interface TemplateChange {
  added: string[];
  removed: string[];
  changed: string[];
}

export function templateSetOf(
  { files, problems }: DefinitionFiles<TemplateFile>,
  ruleFiles: RuleFiles,
  skillFiles: DefinitionFiles<SkillFile>,
): TemplateSet {
  const definitions = [...files.values()].map((file) => file.definition);
  const resolved = resolveTemplates(definitions);
  const found = [
    ...definitions.flatMap(({ path, problems: own }) => own.map((problem) => ({ path, ...problem }))),
    ...resolved.problems,
    ...referenceProblems(files, resolved.templates),
  ];
  const types = withRules(resolved.templates, ruleFiles);
  const set = { types, byFolder: typeFolders(types.values()), files };
  return {
    ...set,
    problems: [
      ...problems,
      ...found.map(({ path, message, line, severity }) => ({
        path,
        reason: message,
        line: line ?? null,
        column: null,
        severity,
      })),
    ],
    rules: {
      files: ruleFiles.files,
      problems: [
        ...ruleFiles.problems,
        ...ruleProblems(ruleFiles.files, types),
        ...settingsProblems(ruleFiles),
      ],
    },
    skills: skillSetOf(skillFiles),
    version: sha256Hex([...definitionPrints(set)].map((entry) => entry.join(' ')).join('\n')),
  };
}

/** Warnings for fields that refer to unknown types. They stay references, because the type may be added later. */
function referenceProblems(
  files: TemplateSet['files'],
  templates: ReadonlyMap<string, TemplateDefinition>,
): ResolveProblem[] {
  const types = new Set(templates.keys());
  return [...templates.values()].flatMap((template) => {
    const lost = lostReferences(template, types);
    if (lost.length === 0) return [];
    const { path } = template;
    const document = readDocument(files.get(path)?.text ?? '');
    return lost.map(({ field, message }) => {
      const line = document.ok ? lineOfReference(document.data, document.lineOf, field) : undefined;
      return { path, message, severity: 'warning' as const, field, ...(line !== undefined && { line }) };
    });
  });
}

export const definitionProblems = ({ problems, rules, skills }: TemplateSet): DefinitionProblem[] => [
  ...problems,
  ...rules.problems,
  ...skills.problems,
];

export const definitionAt = (
  { files, rules, skills }: TemplateSet,
  path: string,
): TemplateFile | RuleFile | SkillFile | undefined =>
  files.get(path) ?? rules.files.get(path) ?? skills.files.get(path);

/** Distinguishes versions of a type's definition. */
export const fingerprint = (path: string, checksum: string): string => `${path} ${checksum}`;

/** The fingerprint of each type's template, as the database mirrors it. */
export function fingerprints(set: Pick<TemplateSet, 'types' | 'files'>): Map<string, string> {
  return new Map(
    [...set.types].map(([type, { path }]) => [type, fingerprint(path, set.files.get(path)?.checksum ?? '')]),
  );
}

/** The same, including the rules of each type. */
export function definitionPrints(set: Pick<TemplateSet, 'types' | 'files'>): Map<string, string> {
  const prints = fingerprints(set);
  return new Map(
    [...set.types].map(([type, definition]) => [type, `${prints.get(type)} ${rulePrint(definition)}`]),
  );
}

export function changeBetween(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): TemplateChange {
  const types = [...after.keys()];
  return {
    added: types.filter((type) => !before.has(type)),
    removed: [...before.keys()].filter((type) => !after.has(type)),
    changed: types.filter((type) => before.has(type) && before.get(type) !== after.get(type)),
  };
}
