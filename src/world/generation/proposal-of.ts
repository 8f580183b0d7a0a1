import type { AnswerProblem, Context } from '../../content/ai/index.ts';
import { invalid } from '../../kit/errors.ts';
import type { Provider, Spent } from '../models/index.ts';
import type { NewProposal, ProposalFinding } from '../proposals/index.ts';
import type { ChangeAnswer } from './ask-for-change.ts';
import type { Gathered } from './gather.ts';
import { promptHash } from './prepare.ts';

export interface Origin {
  /** `generate`, `refine`, `fill`, `fusion`. */
  kind: string;
  parents: readonly string[];
  changeSetId: string | null;
}

export interface Outcome {
  gathered: Gathered;
  context: Context;
  provider: Provider;
  spent: Spent<ChangeAnswer>;
}

/** Values that no file may have are left out, and told. */
export function proposalOf(outcome: Outcome, origin: Origin, entityId: string): NewProposal {
  const { gathered, context, provider, spent } = outcome;
  const { change, problems } = spent.result;
  const broken = new Set(problems.map(topField));
  const fields = Object.fromEntries(Object.entries(change.fields).filter(([name]) => !broken.has(name)));
  const named = change.name === null ? fields : { name: change.name, ...fields };
  return {
    entity_type: gathered.template.entity_type,
    entity_id: entityId,
    base_version: gathered.version,
    fields: named,
    markdown_body: change.markdown_body,
    origin: {
      kind: origin.kind,
      provider: provider.name,
      model: provider.address.model,
      agent: null,
      skills: context.skills,
      prompt_hash: promptHash(context.messages),
      instruction: gathered.instruction,
      sources: context.sources,
      usage: spent.usage,
      credits: spent.credits,
      parents: origin.parents,
    },
    findings: findingsOf(outcome, broken),
    change_set_id: origin.changeSetId,
  };
}

/** 422 unless there is something to propose. */
export function requireUse({ result }: Spent<ChangeAnswer>): void {
  const { change, problems, reason } = result;
  const isEmpty =
    change.name === null && change.markdown_body === null && Object.keys(change.fields).length === 0;
  if (!isEmpty) return;
  if (reason === 'filtered')
    throw invalid('The provider withheld its answer: ask for something else, or ask another provider', {
      code: 'answer_withheld',
    });
  if (problems.length > 0)
    throw invalid(
      `The model's answer could not be used: ${problems[0]?.path || 'it'} ${problems[0]?.message}. Try again, or another model`,
      { code: 'unusable_answer' },
    );
  throw invalid('The model proposes nothing that is not there already', { code: 'nothing_proposed' });
}

function topField({ path }: AnswerProblem): string | null {
  const [first = '', second = null] = path.split('.');
  if (first === 'fields') return second;
  if (first === 'passages') return 'markdown_body';
  return first === '' ? null : first;
}

/** Without the objections of rules: they are found again when the proposal is stored. */
function findingsOf({ context, spent }: Outcome, broken: ReadonlySet<string | null>): ProposalFinding[] {
  const { problems, dropped, silent, change, reason } = spent.result;
  const finding = (field: string | null, severity: ProposalFinding['severity'], message: string) => ({
    field,
    severity,
    message,
  });
  return [
    ...problems.map((problem) => {
      const field = topField(problem);
      const isLeftOut = field !== null && broken.has(field) && Object.hasOwn(change.fields, field);
      return finding(
        field,
        'error',
        `${problem.path} ${problem.message}${isLeftOut ? ': left out' : ''}`.trim(),
      );
    }),
    ...dropped.map((message) => finding(null, 'warning', message)),
    ...silent.map((field) => finding(field, 'info', 'the model proposes nothing for it')),
    ...(reason === 'length'
      ? [finding(null, 'warning', 'the answer was cut off at its longest length')]
      : []),
    ...(context.cut.length > 0
      ? [finding(null, 'info', `${context.cut.length} sources did not fit into the model's window`)]
      : []),
  ];
}
