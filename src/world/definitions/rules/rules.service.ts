import {
  compiledRules,
  type Rule,
  type RuleDocument,
  ruleKeyOfPath,
  ruleTypeOf,
} from '../../../content/rules/index.ts';
import { notFound } from '../../../kit/errors.ts';
import type { Project } from '../../records/index.ts';
import { type DefinitionProblem, type PresentFile, readPresent } from '../files/text-file.ts';
import type { TemplateRegistry } from '../registry/registry.ts';
import type { TemplateSet } from '../registry/template-set.ts';
import { requireKey } from './rule-key.ts';
import { type RuleFile, ruleDocumentsOf, ruleKind, ruleSettingsOf } from './rule-kind.ts';
import { ruleReply } from './rule-reply.ts';
import { ruleProblems } from './rule-set.ts';
import { ruleTexts } from './rule-texts.ts';

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '');

const summaryOf = (document: RuleDocument, checksum: string) => ({
  name: nameOf(document.path),
  key: document.key,
  entity_type: document.entity_type,
  path: document.path,
  checksum,
  enabled: document.enabled,
});

/** The file's present content; its last good content while it cannot be read; empty if it never could be. */
function documentNow(set: TemplateSet, { path, read }: PresentFile<RuleFile>): RuleDocument {
  const file = 'file' in read ? read.file : set.rules.files.get(path);
  if (file?.content.kind === 'rules') return file.content.document;
  const key = ruleKeyOfPath(path) ?? '';
  const nothing = { enabled: true, system_prompt: '', rules: [], body: '', problems: [] };
  return { path, key, entity_type: ruleTypeOf(key), ...nothing };
}

const problemsNow = ({ types }: TemplateSet, { path, read }: PresentFile<RuleFile>): DefinitionProblem[] =>
  'problem' in read ? [read.problem] : ruleProblems(new Map([[path, read.file]]), types);

function fileReply(set: TemplateSet, present: PresentFile<RuleFile>) {
  const settings = ruleSettingsOf(set.rules.files);
  const document = documentNow(set, present);
  return {
    ...summaryOf(document, present.checksum),
    system_prompt: document.system_prompt,
    rules: document.rules.map((rule) => ({
      ...ruleReply(set, document, rule, settings),
      check: { ...rule.check },
      line: rule.line,
    })),
    markdown_body: document.body,
    is_valid: 'file' in present.read,
    problems: problemsNow(set, present),
  };
}

/** The types in which a rule is in force. */
function typesOf(set: TemplateSet, document: RuleDocument, rule: Rule): string[] {
  const { path } = document;
  const isIt = (other: Rule) => other.id === rule.id && other.path === path;
  return [...set.types].filter(([, { rules }]) => rules.some(isIt)).map(([type]) => type);
}

/** False if the rule finds no field in any type. */
function runsSomewhere(
  set: TemplateSet,
  types: readonly string[],
  document: RuleDocument,
  { id }: Rule,
): boolean {
  return types.some((type) => {
    const template = set.types.get(type);
    const { runnable } = template ? compiledRules(template) : { runnable: [] };
    return runnable.some(({ rule }) => rule.id === id && rule.path === document.path);
  });
}

async function requirePresent(
  project: Project,
  set: TemplateSet,
  name: string,
): Promise<PresentFile<RuleFile>> {
  const { path } = requireKey(set, name);
  const present = await readPresent(project.files, path, ruleKind);
  if (present) return present;
  throw notFound(`There is no ${path}: adding a rule makes it`, { code: 'no_such_file' });
}

/** Reads rule files (spec 1 §4.2). `name` is a type, `content` or the like, or a file name. */
export function createRules(registry: TemplateRegistry) {
  return {
    async list(project: Project) {
      const { rules } = await registry.of(project);
      const files = ruleDocumentsOf(rules.files).map((document) => ({
        ...summaryOf(document, rules.files.get(document.path)?.checksum ?? ''),
        rules: document.rules.length,
        advisory: document.rules.filter(({ check }) => check.kind === 'advisory').length,
      }));
      return { files, problems: [...rules.problems] };
    },

    async index(project: Project) {
      const set = await registry.of(project);
      const settings = ruleSettingsOf(set.rules.files);
      const rules = ruleDocumentsOf(set.rules.files).flatMap((document) =>
        document.rules.map((rule) => {
          const types = typesOf(set, document, rule);
          const reply = ruleReply(set, document, rule, settings);
          const executable =
            reply.executable && (types.length === 0 || runsSomewhere(set, types, document, rule));
          return { ...reply, executable, file: nameOf(document.path), entity_types: types };
        }),
      );
      const executable = rules.filter((rule) => rule.executable).length;
      return { total: rules.length, executable, advisory: rules.length - executable, rules };
    },

    async reload(project: Project) {
      const { set, added, changed, durationMs } = await registry.reload(project);
      const documents = ruleDocumentsOf(set.rules.files);
      return {
        files: documents.length,
        rules: documents.reduce((total, { rules }) => total + rules.length, 0),
        changed_types: [...added, ...changed],
        problems: [...set.rules.problems],
        duration_ms: durationMs,
      };
    },

    settings: async (project: Project) => ruleSettingsOf((await registry.of(project)).rules.files),

    async read(project: Project, name: string) {
      const set = await registry.of(project);
      return fileReply(set, await requirePresent(project, set, name));
    },

    async markdown(project: Project, name: string) {
      const { path, text, checksum } = await requirePresent(project, await registry.of(project), name);
      return { name: nameOf(path), path, content: text, checksum };
    },

    async revisions(project: Project, name: string) {
      const { path } = requireKey(await registry.of(project), name);
      const rows = await ruleTexts.list(project, path);
      return { path, revisions: rows.map(({ path: _path, ...revision }) => revision) };
    },

    async revision(project: Project, name: string, version: number) {
      const { path } = requireKey(await registry.of(project), name);
      const row = await ruleTexts.find(project, path, version);
      if (row === undefined) {
        throw notFound(`${path} has no version ${version} that is still kept`, { code: 'no_such_version' });
      }
      const { checksum, source, created_at, created_by, content } = row;
      return { version, checksum, source, created_at, created_by, path, content };
    },
  };
}

export type Rules = ReturnType<typeof createRules>;
