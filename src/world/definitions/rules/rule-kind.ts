import {
  DEFAULT_RULE_SETTINGS,
  parseRuleSettings,
  parseRules,
  RULE_SETTINGS_PATH,
  RULES_FOLDER,
  type RuleDocument,
  type RuleProblem,
  type RuleSettings,
  ruleKeyOfPath,
} from '../../../content/rules/index.ts';
import { DEFINITION_FILE_LIMIT, type Parsed } from '../files/text-file.ts';
import type { DefinitionFiles, DefinitionKind } from '../registry/definition-kind.ts';

/** The last readable state of a file in `_Rules/`: rules, or the project's rule settings. */
export interface RuleFile {
  path: string;
  text: string;
  /** Of the file's bytes. */
  checksum: string;
  content: { kind: 'rules'; document: RuleDocument } | { kind: 'settings'; settings: RuleSettings };
  problems: readonly RuleProblem[];
}

export type RuleFiles = DefinitionFiles<RuleFile>;

export function readRuleText(path: string, text: string, checksum: string): Parsed<RuleFile> {
  if (path === RULE_SETTINGS_PATH) {
    const parsed = parseRuleSettings(text);
    if (!parsed.ok) return parsed;
    const { settings, problems } = parsed;
    return { file: { path, text, checksum, content: { kind: 'settings', settings }, problems } };
  }
  const parsed = parseRules({ path, text });
  if (!parsed.ok) return parsed;
  const { document } = parsed;
  return {
    file: { path, text, checksum, content: { kind: 'rules', document }, problems: document.problems },
  };
}

export const ruleKind: DefinitionKind<RuleFile> = {
  name: 'rule file',
  limit: DEFINITION_FILE_LIMIT,
  parse: readRuleText,
  folders: [RULES_FOLDER],
  isOne: (path) => path === RULE_SETTINGS_PATH || ruleKeyOfPath(path) !== null,
  isMisnamed: (name) => /rules\.md$/i.test(name),
  naming: 'the name of a rule file ends in _RULES.md',
  kept: 'its last good rules stay in force',
};

/** The project's rule settings; the defaults if there is no file. */
export function ruleSettingsOf(files: ReadonlyMap<string, RuleFile>): RuleSettings {
  const content = files.get(RULE_SETTINGS_PATH)?.content;
  return content?.kind === 'settings' ? content.settings : DEFAULT_RULE_SETTINGS;
}

export const ruleDocumentsOf = (files: ReadonlyMap<string, RuleFile>): RuleDocument[] =>
  [...files.values()].flatMap(({ content }) => (content.kind === 'rules' ? [content.document] : []));
