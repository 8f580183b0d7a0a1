import { readDocument } from '../../../content/frontmatter/index.ts';
import {
  type NameFault,
  nameFaults,
  RULE_SETTINGS_PATH,
  rulesOfType,
  unknownInSettings,
} from '../../../content/rules/index.ts';
import type { TemplateDefinition } from '../../../content/template/index.ts';
import { sha256Hex } from '../../../kit/crypto.ts';
import type { DefinitionProblem } from '../files/text-file.ts';
import { type RuleFile, type RuleFiles, ruleDocumentsOf, ruleSettingsOf } from './rule-kind.ts';

interface Ruled {
  print: string;
  definition: TemplateDefinition;
}

/** Returns the same object as long as neither template nor rules change: others detect changes by identity. */
const ruled = new WeakMap<TemplateDefinition, Ruled>();

/** Needed at every comparison of definitions; rules never change once they are read. */
const prints = new WeakMap<TemplateDefinition['rules'], string>();

/** Distinguishes rules by what is evaluated, not by their position in the file. */
export function rulePrint({ rules }: TemplateDefinition): string {
  if (rules.length === 0) return '';
  const print =
    prints.get(rules) ??
    sha256Hex(JSON.stringify(rules.map(({ line: _line, given: _given, ...rule }) => rule)));
  prints.set(rules, print);
  return print;
}

export function withRules(
  templates: ReadonlyMap<string, TemplateDefinition>,
  { files }: RuleFiles,
): Map<string, TemplateDefinition> {
  const documents = ruleDocumentsOf(files);
  const settings = ruleSettingsOf(files);
  return new Map(
    [...templates].map(([type, template]) => {
      const definition = { ...template, rules: rulesOfType(template, documents, settings, templates) };
      const print = rulePrint(definition);
      const known = ruled.get(template);
      if (known?.print === print) return [type, known.definition];
      ruled.set(template, { print, definition });
      return [type, definition];
    }),
  );
}

/** A rule in a type's own file may name a field that only entities have; a rule for all types would then apply nowhere. */
const isReported = ({ key, isNear }: NameFault, fileType: string | null): boolean =>
  isNear || key === 'reference_type' || (fileType === null && key !== 'expression');

/** Problems in rule files that are used nonetheless: unknown names, each reported once, and rules for unknown types. */
export function ruleProblems(
  files: ReadonlyMap<string, RuleFile>,
  types: ReadonlyMap<string, TemplateDefinition>,
): DefinitionProblem[] {
  return [...files.values()].flatMap((file) => {
    const warn = (reason: string, line: number | null): DefinitionProblem => ({
      path: file.path,
      reason,
      line,
      column: null,
      severity: 'warning',
    });
    const own = file.problems.map(({ message, severity, line }) => ({ ...warn(message, line), severity }));
    if (file.content.kind === 'settings') return own;
    const { entity_type: type, rules } = file.content.document;
    const ofNames = rules.flatMap((rule) =>
      nameFaults(rule, type, types)
        .filter((fault) => isReported(fault, type))
        .map(({ message }) => warn(`rule "${rule.id}" ${message}`, rule.line)),
    );
    if (type === null || types.has(type)) return [...own, ...ofNames];
    return [...own, ...ofNames, warn(`there is no type "${type}": its rules wait for a template`, null)];
  });
}

/** Names in the rule settings that match no rule and no rule file. */
export function settingsProblems({ files }: Pick<RuleFiles, 'files'>): DefinitionProblem[] {
  const file = files.get(RULE_SETTINGS_PATH);
  if (file?.content.kind !== 'settings') return [];
  const unknown = unknownInSettings(file.content.settings, ruleDocumentsOf(files));
  if (unknown.length === 0) return [];
  const document = readDocument(file.text);
  return unknown.map(({ path, message }) => ({
    path: file.path,
    reason: `${path[0]} ${message}`,
    line: document.ok ? document.lineOf(path) : null,
    column: null,
    severity: 'warning',
  }));
}
