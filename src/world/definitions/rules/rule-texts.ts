import { checksumOf } from '../../../kit/crypto.ts';
import type { Project } from '../../records/index.ts';
import { type RuleFile, type RuleFiles, readRuleText } from './rule-kind.ts';
import {
  findRuleText,
  keepRuleTexts,
  listRuleTexts,
  newestRuleChecksums,
  newestRuleTexts,
} from './rule-texts.store.ts';

/** The last texts in force, by path: they apply while a file is broken at startup. */
export async function rememberedRules(project: Project): Promise<Map<string, RuleFile>> {
  const remembered = new Map<string, RuleFile>();
  for (const { path, content, checksum } of await newestRuleTexts(project)) {
    const read = readRuleText(path, content, checksum);
    if ('file' in read) remembered.set(path, read.file);
  }
  return remembered;
}

/** Keeps texts that are new; `authors` names the actors by checksum. */
export async function rememberRules(
  project: Project,
  { files, problems }: RuleFiles,
  authors: ReadonlyMap<string, string>,
  at: string,
): Promise<void> {
  const known = await newestRuleChecksums(project);
  // The former state of a broken file stays in force but is not a new text.
  const broken = new Set(problems.map(({ path }) => path));
  const fresh = [...files.values()].filter(
    ({ path, checksum }) => !broken.has(path) && known.get(path) !== checksum,
  );
  await keepRuleTexts(
    project,
    fresh.map(({ path, text, checksum }) => textBy(authors.get(checksum) ?? null, path, text, at)),
  );
}

/** The actor is null for a text from the disk. */
const textBy = (actor: string | null, path: string, content: string, at: string) =>
  ({
    path,
    checksum: checksumOf(content),
    content,
    source: actor === null ? 'file' : 'api',
    created_at: at,
    created_by: actor,
  }) as const;

export const ruleTexts = {
  list: listRuleTexts,
  find: findRuleText,
  /** Keeps a text that is about to be replaced although it was never in force. */
  keep: (project: Project, path: string, text: string, at: string): Promise<void> =>
    keepRuleTexts(project, [textBy(null, path, text, at)]),
};
