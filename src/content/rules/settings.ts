import { isMap, type JsonMap } from '../../text/json.ts';
import { didYouMean } from '../../text/near.ts';
import type { Severity } from '../findings/index.ts';
import { readDocument } from '../frontmatter/index.ts';
import { ruleKeyOf } from './names.ts';
import { DEFAULT_SEVERITIES, type PrioritySeverities, readSeverity } from './severity.ts';
import { isSwitchedOn } from './switch.ts';
import { RULE_PRIORITIES, type Rule, type RuleDocument, type RuleProblem } from './types.ts';

/** Kept in `_Rules/settings.md`. */
export interface RuleSettings {
  /** False: no rule runs. */
  enabled: boolean;
  /** By priority, for rules without a severity. */
  severities: PrioritySeverities;
  /** Such as `character` or `content`. */
  disabled_files: string[];
  /** Such as `character/has_want`. */
  disabled_rules: string[];
  /** These override the rules' files. */
  rule_severities: Readonly<Record<string, Severity>>;
}

const KEYS = ['enabled', 'severities', 'disabled_files', 'disabled_rules', 'rule_severities'];

export const DEFAULT_RULE_SETTINGS: RuleSettings = {
  enabled: true,
  severities: DEFAULT_SEVERITIES,
  disabled_files: [],
  disabled_rules: [],
  rule_severities: {},
};

export type ParsedSettings =
  | { ok: true; settings: RuleSettings; problems: RuleProblem[] }
  | { ok: false; problem: { reason: string; line: number; column: number } };

/** `character/has_want`: a rule's name in settings. */
export const ruleName = (document: Pick<RuleDocument, 'key'>, rule: Pick<Rule, 'id'>): string =>
  `${document.key}/${rule.id}`;

/** Invalid values are reported and left out. */
export function parseRuleSettings(text: string): ParsedSettings {
  const read = readDocument(text);
  if (!read.ok) {
    const { reason, line, column } = read.problem;
    return { ok: false, problem: { reason, line, column } };
  }
  const { data, lineOf } = read;
  const problems: RuleProblem[] = [];
  const severitiesOf = (key: string): [string, Severity][] =>
    Object.entries(isMap(data[key]) ? (data[key] as JsonMap) : {}).flatMap(([name, word]) => {
      const severity = readSeverity(word);
      if (severity !== null) return [[name, severity] as [string, Severity]];
      const message = `${key}.${name} must be error, warning or info`;
      problems.push({ message, severity: 'warning', line: lineOf([key, name]) });
      return [];
    });
  for (const key of Object.keys(data)) {
    const near = KEYS.includes(key) ? '' : didYouMean(key, KEYS);
    if (near !== '')
      problems.push({
        message: `"${key}" is not a setting${near}`,
        severity: 'warning',
        line: lineOf([key]),
      });
  }
  const given = new Map(severitiesOf('severities'));
  const severities = Object.fromEntries(
    RULE_PRIORITIES.map((priority) => [priority, given.get(priority) ?? DEFAULT_SEVERITIES[priority]]),
  ) as unknown as PrioritySeverities;
  const settings = {
    enabled: isSwitchedOn(data.enabled),
    severities,
    disabled_files: namesOf(data.disabled_files).map(ruleKeyOf),
    disabled_rules: namesOf(data.disabled_rules),
    rule_severities: Object.fromEntries(severitiesOf('rule_severities')),
  };
  return { ok: true, settings, problems };
}

const namesOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];

/** It means no rule and no rule file. */
export interface UnknownName {
  /** In the settings. */
  path: readonly (string | number)[];
  name: string;
  /** Follows the setting's name. */
  message: string;
}

/** Such names switch nothing. */
export function unknownInSettings(
  settings: Pick<RuleSettings, 'disabled_files' | 'disabled_rules' | 'rule_severities'>,
  documents: readonly RuleDocument[],
): UnknownName[] {
  const files = documents.map(({ key }) => key);
  const rules = documents.flatMap((document) => document.rules.map((rule) => ruleName(document, rule)));
  const lost = (names: readonly string[], known: readonly string[], kind: string, of: string) =>
    names.flatMap((name, index): UnknownName[] => {
      if (known.includes(name)) return [];
      const whole = known.find((one) => one.endsWith(`/${name}`));
      const near = whole === undefined ? didYouMean(name, known) : ` (did you mean '${whole}'?)`;
      const message = `names "${name}", which is not a ${kind}${near}`;
      return [{ path: of === 'rule_severities' ? [of, name] : [of, index], name, message }];
    });
  return [
    ...lost(settings.disabled_files, files, 'rule file', 'disabled_files'),
    ...lost(settings.disabled_rules, rules, 'rule', 'disabled_rules'),
    ...lost(Object.keys(settings.rule_severities), rules, 'rule', 'rule_severities'),
  ];
}
