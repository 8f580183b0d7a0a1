import {
  checkRuleForWrite,
  keySlips,
  nameFaults,
  parseRules,
  readRule,
  ruleKeyOfPath,
  ruleTypeOf,
  unknownInSettings,
  type WrittenRule,
} from '../../../content/rules/index.ts';
import { invalid } from '../../../kit/errors.ts';
import { deepEqual, type JsonMap } from '../../../text/json.ts';
import type { TemplateSet } from '../registry/template-set.ts';
import { type RuleFiles, ruleDocumentsOf, ruleSettingsOf } from './rule-kind.ts';
import { COMPUTED, ruleReply } from './rule-reply.ts';

function refuseFirst(errors: readonly { field: string; message: string }[]): void {
  const [first] = errors;
  if (first === undefined) return;
  throw invalid(`The rule cannot be used: ${first.field} ${first.message}. Nothing was changed`, {
    code: 'invalid_rule',
    errors: [...errors],
  });
}

/** 422 for a rule that the API does not write. */
export const requireValid = (rule: WrittenRule): void => refuseFirst(checkRuleForWrite(rule));

/** 422 for unknown names in the caller's keys: fields, types, and misspelled keys. */
export function requireKnownNames(
  { types }: TemplateSet,
  path: string,
  rule: WrittenRule,
  sent: WrittenRule,
): void {
  const slips = keySlips(sent).map(({ key, message }) => ({ field: key, message }));
  const read = readRule(rule, { path, line: 1, index: 0 });
  const faults = read === null ? [] : nameFaults(read, ruleTypeOf(ruleKeyOfPath(path) ?? ''), types);
  // Expressions may use fields that only entities have; a name counts as a typo only if it is near a known one.
  const lost = faults.filter(
    ({ key, isNear }) => Object.hasOwn(sent, key) && (key !== 'expression' || isNear),
  );
  refuseFirst([...slips, ...lost.map(({ key, message }) => ({ field: key, message }))]);
}

/** Drops nulls and computed fields from a rule that was read elsewhere. */
export const newRule = (rule: WrittenRule): WrittenRule =>
  Object.fromEntries(
    Object.entries(rule).filter(([key, value]) => !COMPUTED.has(key) && value !== null && value !== ''),
  );

/** The fields that differ from what a reading returns, so that a rule can be sent back as it was read. */
export function changesOf(
  set: TemplateSet,
  { path, text, ruleId }: { path: string; text: string; ruleId: string },
  sent: WrittenRule,
): WrittenRule {
  const parsed = parseRules({ path, text });
  const rule = parsed.ok ? parsed.document.rules.find(({ id }) => id === ruleId) : undefined;
  const shown: JsonMap =
    parsed.ok && rule ? ruleReply(set, parsed.document, rule, ruleSettingsOf(set.rules.files)) : {};
  return Object.fromEntries(
    Object.entries(sent).filter(([key, value]) => !COMPUTED.has(key) && !deepEqual(value, shown[key])),
  );
}

/** 422 for names that match no rule and no rule file, unless the settings already have them. */
export function requireKnownRules({ files }: RuleFiles, patch: JsonMap): void {
  const present = ruleSettingsOf(files);
  const documents = ruleDocumentsOf(files);
  const before = new Set(unknownInSettings(present, documents).map(({ path, name }) => `${path[0]} ${name}`));
  const errors = unknownInSettings({ ...present, ...patch }, documents)
    .filter(({ path, name }) => !before.has(`${path[0]} ${name}`))
    .map(({ path, message }) => ({ field: path.join('.'), message }));
  const [first] = errors;
  if (first) {
    throw invalid(`${first.field} ${first.message}. Nothing was changed`, { code: 'unknown_rule', errors });
  }
}
