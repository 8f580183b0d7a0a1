import { isMap, type JsonMap } from '../../text/json.ts';
import { didYouMean } from '../../text/near.ts';
import { readDocument } from '../frontmatter/index.ts';
import { ruleEntries } from './edit.ts';
import { ruleKeyOfPath, ruleTypeOf } from './names.ts';
import { readRule } from './read-rule.ts';
import { keySlips } from './rule-names.ts';
import { isSwitchedOn } from './switch.ts';
import type { ParsedRules, Rule, RuleProblem } from './types.ts';

/** Others are the author's own. */
const KEYS = ['rules', 'system_prompt', 'enabled'];

/** Per file; further rules are reported and left out. */
const MOST_RULES = 500;

type LineOf = (path: readonly (string | number)[]) => number;

/** An entry of a group has the group's category. */
function entriesOf(data: JsonMap) {
  return ruleEntries(data).map(({ entry, path }) => {
    const [, category] = path;
    const grouped = typeof category === 'string' && isMap(entry) ? { category, ...entry } : entry;
    return { entry: grouped, path };
  });
}

function readRules(path: string, data: JsonMap, lineOf: LineOf, problems: RuleProblem[]): Rule[] {
  const rules: Rule[] = [];
  const ids = new Set<string>();
  for (const [index, { entry, path: at }] of entriesOf(data).slice(0, MOST_RULES).entries()) {
    const line = lineOf(at);
    const rule = readRule(entry, { path, line, index });
    if (rule === null) {
      problems.push({ message: `rule ${index + 1} is no mapping with an id`, severity: 'error', line });
    } else if (ids.has(rule.id)) {
      const message = `the id "${rule.id}" is given twice; the second rule is left out`;
      problems.push({ message, severity: 'error', line });
    } else {
      ids.add(rule.id);
      rules.push(rule);
      for (const { key, message } of keySlips(rule.given)) {
        problems.push({ message: `rule "${rule.id}": "${key}" ${message}`, severity: 'warning', line });
      }
      if (rule.check.kind === 'advisory' && rule.check.broken) {
        const message = `rule "${rule.id}" cannot be run: ${rule.check.reason}`;
        problems.push({ message, severity: 'warning', line });
      }
    }
  }
  return rules;
}

/** Spec 1 §2.3. An unusable file is a problem with its place; lesser faults are in `problems`. */
export function parseRules(input: { path: string; text: string }): ParsedRules {
  const read = readDocument(input.text);
  if (!read.ok) {
    const { reason, line, column } = read.problem;
    return { ok: false, problem: { reason, line, column } };
  }
  const { data, body, lineOf } = read;
  const { rules } = data;
  if (rules !== undefined && rules !== null && typeof rules !== 'object') {
    const reason = '`rules` must be a list of rules, each with an id';
    return { ok: false, problem: { reason, line: lineOf(['rules']), column: 1 } };
  }
  const problems: RuleProblem[] = [];
  for (const name of Object.keys(data)) {
    const near = KEYS.includes(name) ? '' : didYouMean(name, KEYS);
    const message = `"${name}" is not a key of a rule file${near}`;
    if (near !== '') problems.push({ message, severity: 'warning', line: lineOf([name]) });
  }
  const key = ruleKeyOfPath(input.path) ?? '';
  const list = readRules(input.path, data, lineOf, problems);
  const count = entriesOf(data).length;
  if (count > MOST_RULES) {
    const message = `the file holds ${count} rules; those after the first ${MOST_RULES} are left out`;
    problems.push({ message, severity: 'error', line: lineOf(['rules']) });
  }
  return {
    ok: true,
    document: {
      path: input.path,
      key,
      entity_type: ruleTypeOf(key),
      enabled: isSwitchedOn(data.enabled),
      system_prompt: typeof data.system_prompt === 'string' ? data.system_prompt : '',
      rules: list,
      body,
      problems,
    },
  };
}
