import { rulesOfType } from '../../content/rules/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import type { DefinitionProblem } from './definition-file.ts';
import { type RuleFile, type RuleFiles, ruleDocumentsOf, ruleSettingsOf } from './rule-files.ts';

interface Ruled {
  print: string;
  definition: TemplateDefinition;
}

/** A definition with its rules is the same object as long as neither changes: others tell changes by that. */
const ruled = new WeakMap<TemplateDefinition, Ruled>();

/** Asked for whenever definitions are compared; rules never change once they are read. */
const prints = new WeakMap<TemplateDefinition['rules'], string>();

/** What tells a type's rules from others; where they stand in their file does not count. */
export function rulePrint({ rules }: TemplateDefinition): string {
  if (rules.length === 0) return '';
  const print = prints.get(rules) ?? sha256Hex(JSON.stringify(rules.map(({ line: _line, ...rule }) => rule)));
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
  const types = new Set(templates.keys());
  return new Map(
    [...templates].map(([type, template]) => {
      const definition = { ...template, rules: rulesOfType(template, documents, settings, types) };
      const print = rulePrint(definition);
      const known = ruled.get(template);
      if (known?.print === print) return [type, known.definition];
      ruled.set(template, { print, definition });
      return [type, definition];
    }),
  );
}

/** What is wrong in rule files that are used all the same, and rules for types that there are not. */
export function ruleProblems(
  files: ReadonlyMap<string, RuleFile>,
  types: ReadonlyMap<string, TemplateDefinition>,
): DefinitionProblem[] {
  return [...files.values()].flatMap(({ path, problems, content }) => {
    const own = problems.map(({ message, severity, line }) => ({
      path,
      reason: message,
      line,
      column: null,
      severity,
    }));
    const type = content.kind === 'rules' ? content.document.entity_type : null;
    if (type === null || types.has(type)) return own;
    const reason = `there is no type "${type}": its rules wait for a template`;
    return [...own, { path, reason, line: null, column: null, severity: 'warning' as const }];
  });
}
