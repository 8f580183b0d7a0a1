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
} from '../../content/rules/index.ts';
import { messageOf } from '../../kit/errors.ts';
import { type FileStore, FilesError } from '../../platform/files/files.ts';
import { type DefinitionProblem, type DefinitionRead, problemAt, readDefinition } from './definition-file.ts';

/** A file of `_Rules/` as it was read last without fault: rules, or the project's settings for them. */
export interface RuleFile {
  path: string;
  text: string;
  /** Of the file's bytes. */
  checksum: string;
  content: { kind: 'rules'; document: RuleDocument } | { kind: 'settings'; settings: RuleSettings };
  problems: readonly RuleProblem[];
}

export interface RuleFiles {
  /** By path; a file that is broken now stands here as it was last good. */
  files: ReadonlyMap<string, RuleFile>;
  problems: readonly DefinitionProblem[];
}

export const NO_RULE_FILES: RuleFiles = { files: new Map(), problems: [] };

const KEPT = 'its last good rules stay in force';

const isRuleFilePath = (path: string): boolean => path === RULE_SETTINGS_PATH || ruleKeyOfPath(path) !== null;

/** What a rule file's text says, or what is wrong with it. */
export function readRuleText(path: string, text: string, checksum: string): DefinitionRead<RuleFile> {
  if (path === RULE_SETTINGS_PATH) {
    const parsed = parseRuleSettings(text);
    if (!parsed.ok) return { problem: placed(path, parsed.problem) };
    const { settings, problems } = parsed;
    return { file: { path, text, checksum, content: { kind: 'settings', settings }, problems } };
  }
  const parsed = parseRules({ path, text });
  if (!parsed.ok) return { problem: placed(path, parsed.problem) };
  const { document } = parsed;
  return {
    file: { path, text, checksum, content: { kind: 'rules', document }, problems: document.problems },
  };
}

const placed = (path: string, { reason, line, column }: { reason: string; line: number; column: number }) =>
  problemAt(path, reason, line, column);

/** Markdown that no one would take for a note, and that is not named as rule files are. */
const misnamed = (name: string): boolean => /rules\.md$/i.test(name);

async function listRules(store: FileStore): Promise<{ paths: string[]; problems: DefinitionProblem[] }> {
  const entries = (await store.list(RULES_FOLDER)).filter(({ kind }) => kind === 'file');
  const paths = entries.map(({ name }) => `${RULES_FOLDER}/${name}`);
  const problems = entries
    .filter(({ name }) => misnamed(name) && !isRuleFilePath(`${RULES_FOLDER}/${name}`))
    .map(({ name }): DefinitionProblem => {
      const reason = `${name} is not read: the name of a rule file ends in _RULES.md`;
      return { ...problemAt(`${RULES_FOLDER}/${name}`, reason), severity: 'warning' };
    });
  return { paths: paths.filter(isRuleFilePath).sort(), problems };
}

/** Reads all rule files of a project. One that cannot be read is reported and stands for what `known` has of it. */
export async function readRuleFiles(
  store: FileStore,
  known: ReadonlyMap<string, RuleFile>,
): Promise<RuleFiles> {
  let listing: Awaited<ReturnType<typeof listRules>>;
  try {
    listing = await listRules(store);
  } catch (error) {
    if (error instanceof FilesError && error.code === 'not_found') return NO_RULE_FILES;
    return { files: known, problems: [problemAt(RULES_FOLDER, messageOf(error))] };
  }
  const files = new Map<string, RuleFile>();
  const problems = [...listing.problems];
  for (const path of listing.paths) {
    const earlier = known.get(path);
    const read = await readDefinition(store, path, earlier, readRuleText);
    if (read === null) continue;
    if ('file' in read) files.set(path, read.file);
    else if (earlier === undefined) problems.push(read.problem);
    else {
      files.set(path, earlier);
      problems.push({ ...read.problem, reason: `${read.problem.reason}; ${KEPT}` });
    }
  }
  return { files, problems };
}

/** The project's settings for its rules; the defaults where there is no file. */
export function ruleSettingsOf(files: ReadonlyMap<string, RuleFile>): RuleSettings {
  const content = files.get(RULE_SETTINGS_PATH)?.content;
  return content?.kind === 'settings' ? content.settings : DEFAULT_RULE_SETTINGS;
}

export const ruleDocumentsOf = (files: ReadonlyMap<string, RuleFile>): RuleDocument[] =>
  [...files.values()].flatMap(({ content }) => (content.kind === 'rules' ? [content.document] : []));
