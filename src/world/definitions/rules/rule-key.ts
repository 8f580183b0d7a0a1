import { isForAllTypes, ruleKeyOf, ruleKeyOfPath, rulePath } from '../../../content/rules/index.ts';
import { notFound } from '../../../kit/errors.ts';
import type { TemplateSet } from '../registry/template-set.ts';

/** Resolves a route's `{type}`; 404 for a name that cannot have rules. */
export function requireKey(set: TemplateSet, name: string): { key: string; path: string } {
  const key = ruleKeyOf(name);
  const paths = [...set.rules.files.keys(), ...set.rules.problems.map((problem) => problem.path)];
  const path = paths.find((known) => ruleKeyOfPath(known) === key);
  if (path !== undefined) return { key, path };
  if (isForAllTypes(key) || set.types.has(key)) return { key, path: rulePath(key) };
  const known = [...set.types.keys()].join(', ');
  throw notFound(
    `There are no rules '${name}': rules are for a type (${known}) or content, generation, image_generation, story, voice_generation, world_lore`,
    { code: 'unknown_type' },
  );
}
