import { DocumentError, editDocument, readDocument } from '../../../content/frontmatter/index.ts';
import {
  changedRule,
  findRuleEntry,
  RULE_SETTINGS_PATH,
  type WrittenRule,
  withNewRule,
  withRuleAt,
} from '../../../content/rules/index.ts';
import { type Clock, isoTime } from '../../../kit/clock.ts';
import { conflict, invalid, notFound } from '../../../kit/errors.ts';
import { isMap, type JsonMap } from '../../../text/json.ts';
import type { Project } from '../../records/index.ts';
import { type FileChange, unreadable } from '../files/save-file.ts';
import { createDefinitionEditor, type EditContext } from '../registry/edit-definition.ts';
import type { TemplateRegistry } from '../registry/registry.ts';
import { requireKey } from './rule-key.ts';
import { type RuleFile, ruleKind } from './rule-kind.ts';
import { NEW_RULES, NEW_SETTINGS, requireRunnable, requireText } from './rule-text.ts';
import { ruleTexts } from './rule-texts.ts';
import { changesOf, newRule, requireKnownNames, requireKnownRules, requireValid } from './rule-writes.ts';

export interface RuleEditContext extends EditContext {
  /** Replaces a file that cannot be read. */
  overwrite?: boolean | undefined;
}

const HELP = 'its whole text as markdown with `overwrite: true`; the old text is then kept in its revisions';

/** Makes the file's next text from the present one; null if there is no file. */
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

/** Lossless changes of rule files through the API (spec 1 §4.2): only changed parts are rewritten, and old texts are kept. */
export function createRuleEditor({ registry, clock }: { registry: TemplateRegistry; clock: Clock }) {
  const save = createDefinitionEditor(registry, ruleKind);

  async function edit(project: Project, path: string, next: Next, context: RuleEditContext): Promise<void> {
    const change: FileChange<RuleFile> = {
      ifMatch: context.ifMatch,
      refuse: (present, problem) =>
        context.overwrite === true && present.isText ? undefined : unreadable(present, problem, HELP),
      next: (present) => {
        const text = next(present?.text ?? null);
        requireText(path, text);
        return text;
      },
      keep: ({ text }) => ruleTexts.keep(project, path, text, isoTime(clock.now())),
    };
    await save(project, { path: () => path, change: () => change }, context.actor);
  }

  async function place(project: Project, name: string) {
    const set = await registry.of(project);
    return { set, ...requireKey(set, name) };
  }

  return {
    async markdown(project: Project, name: string, content: string, context: RuleEditContext): Promise<void> {
      const { path } = await place(project, name);
      const next: Next = (present) => {
        if (content !== present) requireRunnable(path, content, present);
        return content;
      };
      await edit(project, path, next, context);
    },

    async systemPrompt(
      project: Project,
      name: string,
      prompt: string,
      context: RuleEditContext,
    ): Promise<void> {
      const { key, path } = await place(project, name);
      const next: Next = (text) => edited(text ?? NEW_RULES(key), { set: { system_prompt: prompt } });
      await edit(project, path, next, context);
    },

    async add(project: Project, name: string, rule: WrittenRule, context: RuleEditContext): Promise<void> {
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
      context: RuleEditContext,
    ): Promise<void> {
      const { set, path } = await place(project, name);
      if (patch.id !== undefined && patch.id !== ruleId) {
        throw invalid(
          `The rule's id is '${ruleId}': to change it, add a rule with the new id and delete this one`,
          {
            code: 'id_mismatch',
            errors: [{ field: 'id', message: `must be ${ruleId}, or left out` }],
          },
        );
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

    async remove(project: Project, name: string, ruleId: string, context: RuleEditContext): Promise<void> {
      const { path } = await place(project, name);
      const next: Next = (text) => {
        const { data, entry } = requireEntry(path, text, ruleId);
        return edited(text ?? '', { set: { rules: withRuleAt(data, entry, null) } });
      };
      await edit(project, path, next, context);
    },

    async settings(project: Project, patch: JsonMap, context: RuleEditContext): Promise<void> {
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
