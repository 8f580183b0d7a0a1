import { checksumOf } from '../../../kit/crypto.ts';
import type { Project } from '../../records/index.ts';
import type { DefinitionKind } from '../registry/definition-kind.ts';
import { type SkillFile, skillKind } from '../skills/skill-kind.ts';
import { type RuleFile, ruleKind } from './rule-kind.ts';
import {
  findRuleText,
  keepRuleTexts,
  listRuleTexts,
  newestRuleChecksums,
  newestRuleTexts,
} from './rule-texts.store.ts';
import type { RuleTextRow } from './rule-texts.tables.ts';

/** The last rules and skills in force, by path: they apply while a file is broken at startup. */
export async function rememberedTexts(
  project: Project,
): Promise<{ rules: Map<string, RuleFile>; skills: Map<string, SkillFile> }> {
  const rows = await newestRuleTexts(project);
  return { rules: parsedBy(ruleKind, rows), skills: parsedBy(skillKind, rows) };
}

function parsedBy<File>({ isOne, parse }: DefinitionKind<File>, rows: readonly RuleTextRow[]) {
  const parsed = new Map<string, File>();
  for (const { path, content, checksum } of rows.filter((row) => isOne(row.path))) {
    const read = parse(path, content, checksum);
    if ('file' in read) parsed.set(path, read.file);
  }
  return parsed;
}

interface TextsInForce {
  texts: readonly { path: string; text: string; checksum: string }[];
  /** Files that are represented by a former state. */
  broken: readonly { path: string }[];
}

/** Keeps texts that are new; `authors` names the actors by checksum. */
export async function rememberTexts(
  project: Project,
  { texts, broken }: TextsInForce,
  authors: ReadonlyMap<string, string>,
  at: string,
): Promise<void> {
  const known = await newestRuleChecksums(project);
  // The former state of a broken file stays in force but is not a new text.
  const former = new Set(broken.map(({ path }) => path));
  const fresh = texts.filter(({ path, checksum }) => !former.has(path) && known.get(path) !== checksum);
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
