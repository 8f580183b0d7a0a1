import { type MappingProposal, mappingProposals, mappingQuestion } from '../../content/ai/index.ts';
import { type AskedMapping, createAsideColumns } from '../../content/import/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { type AskedModel, askQuestion, type Models, showQuestion } from '../models/index.ts';
import type { ShownQuestion, UsedModel } from '../models/question.contract.ts';
import type { ImportOptions, NotesPlan } from './plan-notes.ts';

export interface ProposedMapping {
  /** The question that is or would be sent; null if nothing was left aside. */
  question: ShownQuestion | null;
  /** Null if no model was asked. */
  used: UsedModel | null;
  /** The caller's own and the proposals, ready to be sent. */
  mapping: Record<string, string | null>;
  proposals: MappingProposal[];
  problems: string[];
}

interface Planning<Request> {
  templates: ReadonlyMap<string, TemplateDefinition>;
  plan(request: Request): Promise<NotesPlan>;
}

const TOKENS_PER_COLUMN = 80;
const LEAST_ANSWER = 300;

/**
 * Has a model propose fields for the properties that the mapper left aside, and plans the import with them. Nothing is written: the
 * caller sends the mapping once it is good.
 */
export function createMappingProposals(models: Models) {
  return async <Request extends ImportOptions>(
    { templates, plan }: Planning<Request>,
    request: Request,
    { caller, provider: name, dryRun, signal }: AskedModel,
  ): Promise<{ plan: NotesPlan; proposed: ProposedMapping }> => {
    const provider = await models.pick(caller, name);
    const aside = createAsideColumns(request.mapping);
    const first = await plan({ ...request, aside });
    const asked = mappingQuestion(templates, aside.list());
    const proposed: ProposedMapping = {
      question: null,
      used: null,
      mapping: Object.fromEntries(request.mapping),
      proposals: [],
      problems: [],
    };
    if (asked === null) return { plan: first, proposed };
    const asking = { models, caller, provider };
    const question = {
      messages: asked.messages,
      schema: asked.schema,
      maxOutputTokens: Math.min(
        provider.maxOutputTokens,
        LEAST_ANSWER + asked.columns.length * TOKENS_PER_COLUMN,
      ),
    };
    proposed.question = showQuestion(asking, question);
    if (dryRun) return { plan: first, proposed };
    const { value, problems, used } = await askQuestion(asking, question, { kind: 'ai_import', signal });
    const found = mappingProposals(asked, value);
    const fitting = await withFitting(plan, request, found);
    return {
      plan: fitting.plan,
      proposed: {
        ...proposed,
        used,
        mapping: Object.fromEntries(fitting.mapping),
        proposals: fitting.proposals,
        problems: [...problems, ...fitting.problems],
      },
    };
  };
}

const mappingWith = (asked: AskedMapping, proposals: readonly MappingProposal[]): AskedMapping =>
  new Map([...proposals.map(({ from, to }) => [from, to] as const), ...asked]);

/** Proposals that fit at least one value. The plan is the one that the mapping makes. */
async function withFitting<Request extends ImportOptions>(
  plan: Planning<Request>['plan'],
  request: Request,
  found: readonly MappingProposal[],
) {
  const tried = await plan({ ...request, mapping: mappingWith(request.mapping, found) });
  const placed = new Set(
    tried.notes.flatMap(({ kept, mapped }) => [
      ...kept.map((name) => placeOf(name, name)),
      ...mapped.map(({ from, to }) => placeOf(from, to)),
    ]),
  );
  const proposals = found.filter(({ from, to }) => placed.has(placeOf(from, to)));
  const problems = found
    .filter(({ from, to }) => !placed.has(placeOf(from, to)))
    .map(({ from, to }) => `${from} cannot become ${to}: no value of it fits`);
  const mapping = mappingWith(request.mapping, proposals);
  if (problems.length === 0) return { plan: tried, mapping, proposals, problems };
  return { plan: await plan({ ...request, mapping }), mapping, proposals, problems };
}

const placeOf = (from: string, to: string): string => JSON.stringify([from, to]);
