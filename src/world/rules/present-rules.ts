import { decodeUtf8 } from '../../content/frontmatter/index.ts';
import { isForAllTypes, ruleKeyOf, ruleKeyOfPath, rulePath } from '../../content/rules/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { notFound } from '../../kit/errors.ts';
import type { Project } from '../records/index.ts';
import {
  type DefinitionProblem,
  type DefinitionRead,
  type RuleFile,
  readRuleText,
  type TemplateSet,
} from '../templates/index.ts';

/** A rule file as it is on disk now. */
export interface PresentRules {
  path: string;
  bytes: Uint8Array;
  /** Of the bytes. */
  checksum: string;
  /** With U+FFFD where bytes are not UTF-8. */
  text: string;
  isText: boolean;
  read: DefinitionRead<RuleFile>;
}

/** The key behind a route's `{type}` and the path of its file; 404 for what could have no rules. */
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

export const missingRules = (path: string) =>
  notFound(`There is no ${path}: adding a rule makes it`, { code: 'no_such_file' });

/** Reads a file of rules as it is now; null when there is none. */
export async function readPresentRules(project: Project, path: string): Promise<PresentRules | null> {
  if ((await project.files.stat(path)) === undefined) return null;
  const bytes = await project.files.read(path);
  const checksum = checksumOf(bytes);
  const decoded = decodeUtf8(bytes);
  const problem = (found: Pick<DefinitionProblem, 'reason' | 'line' | 'column'>) => ({
    problem: { path, severity: 'error' as const, ...found },
  });
  return {
    path,
    bytes,
    checksum,
    text: decoded.ok ? decoded.text : new TextDecoder().decode(bytes),
    isText: decoded.ok,
    read: decoded.ok ? readRuleText(path, decoded.text, checksum) : problem(decoded.problem),
  };
}
