import { DocumentError, editDocument, readDocument } from '../../content/frontmatter/index.ts';
import {
  changedRule,
  findRuleEntry,
  RULE_SETTINGS_PATH,
  type WrittenRule,
  withNewRule,
  withRuleAt,
} from '../../content/rules/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { conflict, invalid, notFound, tooLarge } from '../../kit/errors.ts';
import type { HeaderValue } from '../../kit/http/etag.ts';
import { isMap, type JsonMap } from '../../text/json.ts';
import type { Project } from '../records/index.ts';
import { DEFINITION_FILE_LIMIT, requireTag, ruleTexts, type TemplateRegistry } from '../templates/index.ts';
import { type PresentRules, readPresentRules, requireKey } from './present-rules.ts';
import { NEW_RULES, NEW_SETTINGS, requireRunnable, requireText } from './rule-text.ts';
import { changesOf, newRule, requireKnownNames, requireKnownRules, requireValid } from './rule-writes.ts';

export interface EditContext {
  actor: string;
  ifMatch: HeaderValue;
  /** Replace a file that cannot be read. */
  overwrite?: boolean | undefined;
}

/** The text that a file is to have, given the one that it has; null: there is no file. */
type Next = (text: string | null) => string;

function dataOf(text: string): JsonMap {
  const read = readDocument(text);
  return read.ok ? read.data : {};
}

function edited(text: string, edit: Parameters<typeof editDocument>[1]): string {
  try {
    return editDocument(text, edit);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const { reason, line, column } = error.problem;
    throw invalid(`The rule file cannot hold this: ${reason}. Nothing was changed`, {
      code: 'invalid_rules',
      errors: [{ field: 'rules', message: reason, line }],
      body: { line, column },
    });
  }
}

/** Lossless changes of rule files through the API (spec 1 §4.2): only what changes is rewritten, old texts are kept. */
export function createRuleEditor({ registry, clock }: { registry: TemplateRegistry; clock: Clock }) {
  /** What was changed outside is taken in first, so that its text is kept. */
  async function settle(project: Project, path: string): Promise<PresentRules | null> {
    const set = await registry.of(project);
    const present = await readPresentRules(project, path);
    if (present && set.rules.files.get(path)?.checksum !== present.checksum) await registry.reload(project);
    return present;
  }

  async function save(project: Project, path: string, next: Next, context: EditContext): Promise<void> {
    const present = await settle(project, path);
    requireTag(context.ifMatch, present?.checksum ?? null, 'rule file');
    if (present && 'problem' in present.read) requireConsent(present, context);
    const text = next(present?.text ?? null);
    requireText(path, text);
    if (text === present?.text) return;
    if (Buffer.byteLength(text) > DEFINITION_FILE_LIMIT) {
      throw tooLarge(`The rule file would be larger than ${DEFINITION_FILE_LIMIT} bytes`);
    }
    if (present && 'problem' in present.read) {
      await ruleTexts.keep(project, path, present.text, isoTime(clock.now()));
    }
    await project.files.write(path, text, present ? { onlyOver: present.bytes } : { ifAbsent: true });
    await registry.reload(project, { checksum: checksumOf(text), actor: context.actor });
  }

  const edit = (project: Project, path: string, next: Next, context: EditContext): Promise<void> =>
    project.database.exclusive(`rule-edits ${project.projectId}`, () => save(project, path, next, context));

  async function place(project: Project, name: string) {
    const set = await registry.of(project);
    return { set, ...requireKey(set, name) };
  }

  return {
    async markdown(project: Project, name: string, content: string, context: EditContext): Promise<void> {
      const { path } = await place(project, name);
      const next: Next = (present) => {
        if (content !== present) requireRunnable(path, content, present);
        return content;
      };
      await edit(project, path, next, context);
    },

    async systemPrompt(project: Project, name: string, prompt: string, context: EditContext): Promise<void> {
      const { key, path } = await place(project, name);
      const next: Next = (text) => edited(text ?? NEW_RULES(key), { set: { system_prompt: prompt } });
      await edit(project, path, next, context);
    },

    async add(project: Project, name: string, rule: WrittenRule, context: EditContext): Promise<void> {
      const { set, key, path } = await place(project, name);
      const given = newRule(rule);
      requireValid(given);
      requireKnownNames(set, path, given, given);
      const next: Next = (text) => {
        const base = text ?? NEW_RULES(key);
        const data = dataOf(base);
        if (findRuleEntry(data, String(given.id))) {
          throw conflict(`${path} has a rule '${given.id}' already`, { code: 'rule_exists' });
        }
        return edited(base, { set: { rules: withNewRule(data, given) } });
      };
      await edit(project, path, next, context);
    },

    async update(
      project: Project,
      name: string,
      ruleId: string,
      patch: WrittenRule,
      context: EditContext,
    ): Promise<void> {
      const { set, path } = await place(project, name);
      if (patch.id !== undefined && patch.id !== ruleId) {
        throw invalid(`The rule's id is '${ruleId}': add the other one and take this one away`, {
          code: 'id_mismatch',
          errors: [{ field: 'id', message: `must be ${ruleId}, or left out` }],
        });
      }
      const next: Next = (text) => {
        const { data, entry } = requireEntry(path, text, ruleId);
        const changes = changesOf(set, { path, text: text ?? '', ruleId }, patch);
        if (Object.keys(changes).length === 0) return text ?? '';
        const rule = changedRule(entry, ruleId, changes);
        requireValid({ ...rule, id: ruleId, description: rule.description ?? rule.rule });
        requireKnownNames(set, path, rule, changes);
        return edited(text ?? '', { set: { rules: withRuleAt(data, entry, rule) } });
      };
      await edit(project, path, next, context);
    },

    async remove(project: Project, name: string, ruleId: string, context: EditContext): Promise<void> {
      const { path } = await place(project, name);
      const next: Next = (text) => {
        const { data, entry } = requireEntry(path, text, ruleId);
        return edited(text ?? '', { set: { rules: withRuleAt(data, entry, null) } });
      };
      await edit(project, path, next, context);
    },

    async settings(project: Project, patch: JsonMap, context: EditContext): Promise<void> {
      requireKnownRules((await registry.of(project)).rules, patch);
      const next: Next = (text) => {
        const base = text ?? NEW_SETTINGS;
        const { severities, ...others } = patch;
        const present = dataOf(base).severities;
        const merged = isMap(severities) && { ...(isMap(present) && present), ...severities };
        return edited(base, { set: { ...others, ...(merged && { severities: merged }) } });
      };
      await edit(project, RULE_SETTINGS_PATH, next, context);
    },
  };
}

export type RuleEditor = ReturnType<typeof createRuleEditor>;

function requireEntry(path: string, text: string | null, ruleId: string) {
  const data = dataOf(text ?? '');
  const entry = findRuleEntry(data, ruleId);
  if (entry) return { data, entry };
  throw notFound(`${path} has no rule '${ruleId}'`, { code: 'no_such_rule' });
}

/** A file that cannot be read is replaced only by a caller who says so. */
function requireConsent({ read, path, isText }: PresentRules, { overwrite }: EditContext): void {
  if (!('problem' in read) || (overwrite === true && isText)) return;
  const { reason, line, column } = read.problem;
  const where = line === null ? '' : ` (line ${line}, column ${column})`;
  const help = isText
    ? 'Mend the file, or send its whole text as markdown with `overwrite: true`; the old text then goes to its revisions'
    : 'Mend the file';
  throw conflict(`${path} cannot be read: ${reason}${where}. ${help}`, {
    code: 'unreadable_file',
    errors: [{ field: path, message: reason, ...(line !== null && { line }) }],
  });
}

/** An editor may have saved while the change was thought out. */
