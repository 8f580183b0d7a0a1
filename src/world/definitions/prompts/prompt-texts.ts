import type { AppliedRule } from '../../../content/rules/index.ts';
import type { FieldDefinition } from '../../../content/template/index.ts';
import type { TemplateSet } from '../registry/template-set.ts';
import { ruleDocumentsOf, ruleSettingsOf } from '../rules/rule-kind.ts';

export interface SystemPrompt {
  /** Of its rule file: `generation`, `image_generation`, `character`. */
  key: string;
  path: string;
  text: string;
}

export type FieldHelp = Pick<FieldDefinition, 'name' | 'label' | 'description' | 'placeholder'>;
export type Advice = Pick<AppliedRule, 'id' | 'path' | 'line' | 'description' | 'fields' | 'severity'>;

/** The texts of a project's files that tell a model about one type. Lists have no empty ones. */
export interface PromptTexts {
  template: { path: string; instructions: string; body: string };
  /** Fields with a description or a placeholder, in the template's order. */
  fields: FieldHelp[];
  /** Files for all types first, then the type's own; those for pictures and voices are among them, by their key. */
  systemPrompts: SystemPrompt[];
  /** Rules that no machine checks. */
  advice: Advice[];
}

/** Undefined for an unknown type. What the rule settings switch off is left out. */
export function promptTexts(set: TemplateSet, entityType: string): PromptTexts | undefined {
  const template = set.types.get(entityType);
  if (template === undefined) return undefined;
  const { path, generation_instructions: instructions, body, fields, rules } = template;
  return {
    template: { path, instructions, body },
    fields: fields
      .filter(({ description, placeholder }) => Boolean(description ?? placeholder))
      .map(({ name, label, description, placeholder }) => ({
        name,
        label,
        ...(description !== undefined && { description }),
        ...(placeholder !== undefined && { placeholder }),
      })),
    systemPrompts: systemPromptsOf(set, entityType),
    advice: rules
      .filter(({ check }) => check.kind === 'advisory')
      .map(({ id, path: at, line, description, fields: named, severity }) => ({
        id,
        path: at,
        line,
        description,
        fields: named,
        severity,
      })),
  };
}

function systemPromptsOf({ rules: { files } }: TemplateSet, entityType: string): SystemPrompt[] {
  const { enabled, disabled_files } = ruleSettingsOf(files);
  if (!enabled) return [];
  const inForce = ruleDocumentsOf(files).filter(
    (document) =>
      document.enabled && document.system_prompt.trim() !== '' && !disabled_files.includes(document.key),
  );
  const of = (type: string | null) => inForce.filter(({ entity_type }) => entity_type === type);
  return [...of(null), ...of(entityType)].map(({ key, path, system_prompt }) => ({
    key,
    path,
    text: system_prompt.trim(),
  }));
}
