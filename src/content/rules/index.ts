export { rulesOfType } from './apply.ts';
export { checkRuleForWrite, type RuleFault } from './check-rule.ts';
export { changedRule, findRuleEntry, type WrittenRule, withNewRule, withRuleAt } from './edit.ts';
export { bindingReferenceRules } from './named.ts';
export {
  isForAllTypes,
  RULE_SETTINGS_PATH,
  RULES_FOLDER,
  ruleKeyOf,
  ruleKeyOfPath,
  rulePath,
  ruleTypeOf,
} from './names.ts';
export { parseRules } from './parse.ts';
export { readRule } from './read-rule.ts';
export { keySlips, type NameFault, nameFaults, slipsIn } from './rule-names.ts';
export { compiledRules, runRules } from './run.ts';
export {
  DEFAULT_RULE_SETTINGS,
  parseRuleSettings,
  type RuleSettings,
  ruleName,
  unknownInSettings,
} from './settings.ts';
export * from './types.ts';
