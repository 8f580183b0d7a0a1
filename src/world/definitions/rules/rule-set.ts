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

/** A definition with its rules is the same object as long as neither changes: others tell changes by that. */
const ruled = new WeakMap<TemplateDefinition, Ruled>();

/** Asked for whenever definitions are compared; rules never change once they are read. */
const prints = new WeakMap<TemplateDefinition['rules'], string>();

/** What tells a type's rules from others; where they stand in their file does not count, nor what no machine reads. */
export function rulePrint({ rules }: TemplateDefinition): string {
  if (rules.length === 0) return '';
  const print =
    prints.get(rules) ??
    sha256Hex(JSON.stringify(rules.map(({ line: _line, given: _given, ...rule }) => rule)));
  prints.set(rules, print);
  return print;
}

/** The definitions with the rules that apply to each type. */
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

/** A field of the entities' own may have rules in its type's file; where no type has it, a rule for all is in force nowhere. */
const isTold = ({ key, isNear }: NameFault, fileType: string | null): boolean =>
  isNear || key === 'reference_type' || (fileType === null && key !== 'expression');

/**
 * What is wrong in rule files that are used all the same: names that nothing has, each once however many entities the rule
 * is about, and rules for types that there are not.
 */
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
        .filter((fault) => isTold(fault, type))
        .map(({ message }) => warn(`rule "${rule.id}" ${message}`, rule.line)),
    );
    if (type === null || types.has(type)) return [...own, ...ofNames];
    return [...own, ...ofNames, warn(`there is no type "${type}": its rules wait for a template`, null)];
  });
}

/** Names in the settings of rules that are no rule's and no rule file's. */
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
