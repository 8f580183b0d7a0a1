import type { AppliedRule } from '../../rules/types.ts';
import type { PromptSkill } from '../../skills/index.ts';
import type { TemplateDefinition } from '../../template/index.ts';
import type { Target } from '../target.ts';
import type { UnknownVariables } from '../variables.ts';

export interface ContextEntity {
  entity_type: string;
  entity_id: string;
  name: string;
  status: string;
  fields: Readonly<Record<string, unknown>>;
  markdown_body: string;
}

/** An entity that this one refers to, or that refers to it. */
export interface Neighbour {
  entity_type: string;
  entity_id: string;
  name: string;
  relations: readonly { direction: 'out' | 'in'; field: string }[];
  /** Null for those that are only named. */
  content: Pick<ContextEntity, 'fields' | 'markdown_body'> | null;
}

/** The system prompt of a rules file. */
export interface RulesPrompt {
  path: string;
  system_prompt: string;
}

export type ContextSkill = Omit<PromptSkill, 'source'>;

export interface ContextWindow {
  /** Tokens that the messages and the answer may have together. */
  contextTokens: number;
  /** Tokens that are kept free for the answer. */
  answerTokens: number;
}

/** Everything that a generation is made from. Plain data; all texts are as the project has them. */
export interface ContextInput {
  template: TemplateDefinition;
  rulesPrompts: readonly RulesPrompt[];
  rules: readonly AppliedRule[];
  /** In the order of the prompt. */
  skills: readonly ContextSkill[];
  /** Null for an entity that is to be made. */
  entity: ContextEntity | null;
  /** The nearest first. */
  neighbours: readonly Neighbour[];
  /** Entities that a variable `$type:id.field` of the texts names. */
  named: readonly ContextEntity[];
  /** Ids that reference fields of the target may hold. */
  candidates: readonly { entity_type: string; entity_id: string; name: string }[];
  /** Sentences of what is known about story time. */
  facts: readonly string[];
  instruction: string | null;
  target: Target;
  /** An answer to be changed, as JSON text, for a refinement; or several to be combined. */
  answers: readonly { ref: string; text: string }[];
  window: ContextWindow;
  unknownVariables: UnknownVariables;
}

export interface ContextMessage {
  role: 'system' | 'user';
  content: string;
}

export interface ContextSource {
  kind: 'template' | 'rules' | 'skill' | 'entity' | 'canon' | 'instruction';
  ref: string;
  label: string;
}

export interface Cut {
  ref: string;
  label: string;
  reason: 'left_out' | 'shortened';
}

export interface Context {
  messages: ContextMessage[];
  /** Only those whose text is in the messages. */
  sources: ContextSource[];
  /** Parts of the messages that did not fit, or not as a whole. */
  cut: Cut[];
  /** An upper estimate for the messages and the schema of the answer. */
  tokens: number;
  skills: string[];
  /** Variables that nobody knows, as written. */
  unknown_variables: string[];
}

/** The parts that must be sent do not fit into the window. */
export class ContextTooLongError extends Error {
  override readonly name = 'ContextTooLongError';
  readonly needed: number;
  readonly available: number;

  constructor(needed: number, available: number) {
    super(`The request needs about ${needed} tokens and the model takes ${available}`);
    this.needed = needed;
    this.available = available;
  }
}
