import { type MergeQuestion, mergeProblems, mergeQuestion, settledParts } from '../../content/ai/index.ts';
import type { ComparedContent } from '../../content/compare.ts';
import type { MergeConflict } from '../../content/merge/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { deepEqual } from '../../text/json.ts';
import { contentOfText } from '../conflict-records/index.ts';
import {
  type AskedModel,
  type Asking,
  askQuestion,
  type Models,
  type Question,
  showQuestion,
} from '../models/index.ts';
import type { ShownQuestion, UsedModel } from '../models/question.contract.ts';
import type { AiSettingsService } from '../proposals/index.ts';
import { mergeTexts, type Project } from '../records/index.ts';

export interface MergeProposalOptions {
  models: Models;
  settings: Pick<AiSettingsService, 'forbidden' | 'requireAllowed'>;
}

/** The texts of a merge, its result and what overlaps. */
export interface MergedTexts {
  project: Project;
  template: TemplateDefinition;
  base: string;
  local: string;
  remote: string;
  /** With local's side of what overlaps. */
  text: string;
  conflicts: readonly MergeConflict[];
}

export interface MergeProposal extends ComparedContent {
  /** The question that is or would be sent; null if nothing overlaps that a model can be asked about. */
  question: ShownQuestion | null;
  /** Null if no model was asked. */
  used: UsedModel | null;
  parts: { field: string; line?: number; value?: unknown; reason: string }[];
  origins: { field: string; origin: MergeOrigin }[];
  conflicts: MergeConflict[];
  content: string;
  problems: string[];
}

export type MergeOrigin = 'merge' | 'model' | 'both';

/** Of the tokens that a model takes; the rest is for the answer, and for a second question. */
const SHARE_OF_OVERLAPS = 0.25;
const LETTERS_PER_TOKEN = 3;
const LEAST_ANSWER = 500;

/** Has a model propose a value for each place that both sides changed. Sends nothing else, and saves nothing. */
export function createMergeProposals({ models, settings }: MergeProposalOptions) {
  /** 409 `ai_forbidden` for a type; overlaps of single fields that are forbidden stay with people. */
  async function allowedOf({ project, template, conflicts }: MergedTexts): Promise<MergeConflict[]> {
    const { entity_type: type } = template;
    const forbidden = await settings.forbidden(project, type);
    if (forbidden === 'never') await settings.requireAllowed(project, type, ['markdown_body']);
    return conflicts.filter(({ field }) => !forbidden.includes(field.split('.')[0] ?? field));
  }

  return async (
    merged: MergedTexts,
    { caller, provider: name, dryRun, signal }: AskedModel,
  ): Promise<MergeProposal> => {
    const provider = await models.pick(caller, name);
    const mostCharacters = provider.contextTokens * SHARE_OF_OVERLAPS * LETTERS_PER_TOKEN;
    const asked = mergeQuestion(merged.template, await allowedOf(merged), mostCharacters);
    if (asked === null) return withoutModel(merged, null);
    const asking = { models, caller, provider };
    const question = questionOf(asked, asking);
    const shown = showQuestion(asking, question);
    if (dryRun) return withoutModel(merged, shown);
    const { value, problems, used } = await askQuestion(asking, question, { kind: 'ai_smart_merge', signal });
    const settled = value === null ? [] : settledParts(asked, value);
    const { base, local, remote } = merged;
    const result = await mergeTexts({ base, local, remote, settled });
    const touched = settled.map(({ conflict }) => conflict);
    return {
      ...contentOfText(merged.template, result.text),
      content: result.text,
      conflicts: result.conflicts,
      question: shown,
      used,
      parts: settled.map(({ conflict: { field, line }, ...part }) => ({
        field,
        ...(line !== undefined && { line }),
        ...part,
      })),
      origins: originsOf(merged, touched),
      problems: [...problems],
    };
  };
}

function questionOf(asked: MergeQuestion, { provider }: Asking): Question {
  const { messages, schema } = asked;
  const letters = asked.parts.reduce((sum, { conflict }) => sum + JSON.stringify(conflict).length, 0);
  return {
    messages,
    schema,
    maxOutputTokens: Math.min(provider.maxOutputTokens, LEAST_ANSWER + letters),
    check: (value) => mergeProblems(asked, value),
  };
}

const withoutModel = (merged: MergedTexts, question: ShownQuestion | null): MergeProposal => ({
  ...contentOfText(merged.template, merged.text),
  content: merged.text,
  conflicts: [...merged.conflicts],
  question,
  used: null,
  parts: [],
  origins: originsOf(merged, []),
  problems: [],
});

const attributesOf = ({ name, status, fields, markdown_body }: ComparedContent): Record<string, unknown> => ({
  name,
  status,
  ...fields,
  markdown_body,
});

/** Says of each field that a side changed whether merge or model decided it. Fields that are still open are left out. */
function originsOf(
  { template, base, local, remote, conflicts }: MergedTexts,
  byModel: readonly MergeConflict[],
) {
  const [before, ...sides] = [base, local, remote].map((text) => attributesOf(contentOfText(template, text)));
  const changed = new Set(
    sides.flatMap((side) =>
      Object.keys({ ...before, ...side }).filter((key) => !deepEqual(before?.[key], side[key])),
    ),
  );
  const isWithin = (field: string) => (conflict: MergeConflict) =>
    conflict.field === field || conflict.field.startsWith(`${field}.`);
  return [...changed].flatMap((field): MergeProposal['origins'] => {
    const ofModel = byModel.filter(isWithin(field));
    if (ofModel.length < conflicts.filter(isWithin(field)).length) return [];
    if (ofModel.length === 0) return [{ field, origin: 'merge' }];
    const isWhole = ofModel.every((conflict) => isWholeOf(conflict, field, sides[0]?.[field]));
    return [{ field, origin: isWhole ? 'model' : 'both' }];
  });
}

const isWholeOf = ({ field, local }: MergeConflict, top: string, value: unknown): boolean =>
  top === 'markdown_body' ? typeof value === 'string' && value.trim() === local : field === top;
