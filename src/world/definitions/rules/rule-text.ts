import { createDocument } from '../../../content/frontmatter/index.ts';
import { parseRules, type RuleDocument } from '../../../content/rules/index.ts';
import { titleOf } from '../../../content/template/index.ts';
import { invalid } from '../../../kit/errors.ts';
import { readRuleText } from './rule-kind.ts';

export const NEW_RULES = (key: string): string => createDocument({ rules: [] }, `# ${titleOf(key)} rules\n`);

export const NEW_SETTINGS = createDocument(
  { enabled: true },
  'Switches and severities of the rules in this folder. `canonry` reads the lines above; this text is for people.\n',
);

const refuse = (reason: string, line: number | null, column: number | null) =>
  invalid(
    `The rules cannot be used: ${reason}${line === null ? '' : ` (line ${line}${column === null ? '' : `, column ${column}`})`}. Nothing was changed`,
    {
      code: 'invalid_rules',
      errors: [{ field: 'content', message: reason, ...(line !== null && { line }) }],
    },
  );

/** 422, with the position, for a text that is not a rule file. */
export function requireText(path: string, text: string): void {
  const read = readRuleText(path, text, '');
  if ('problem' in read) throw refuse(read.problem.reason, read.problem.line, read.problem.column);
}

const brokenIn = (document: RuleDocument): RuleDocument['rules'] =>
  document.rules.filter(({ check }) => check.kind === 'advisory' && check.broken);

/**
 * 422 for rules that were meant to be evaluated and cannot be: a pattern that RE2 does not support, a range without bounds,
 * a duplicate rule. Faults that the present text already has may stay.
 */
export function requireRunnable(path: string, text: string, present: string | null): void {
  const next = parseRules({ path, text });
  if (!next.ok) throw refuse(next.problem.reason, next.problem.line, next.problem.column);
  const before = present === null ? null : parseRules({ path, text: present });
  const old = before?.ok ? before.document : undefined;
  const known = new Set(old?.problems.map(({ message }) => message));
  const broken = brokenIn(next.document).find(({ id, check }) => {
    const same = old?.rules.find((rule) => rule.id === id);
    return JSON.stringify(same?.check) !== JSON.stringify(check);
  });
  if (broken?.check.kind === 'advisory') {
    throw refuse(`rule "${broken.id}" cannot be run: ${broken.check.reason}`, broken.line, null);
  }
  const fault = next.document.problems.find(
    ({ severity, message }) => severity === 'error' && !known.has(message),
  );
  if (fault) throw refuse(fault.message, fault.line, null);
}
