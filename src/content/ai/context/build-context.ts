import { answerSchema } from '../answer-schema.ts';
import { fenceFor } from '../fence.ts';
import { mostTokensIn } from '../tokens.ts';
import { fit } from './fit.ts';
import { createExpansion } from './lookup.ts';
import { sectionsOf } from './sections.ts';
import type { Context, ContextInput, ContextSource } from './types.ts';

/** For roles and marks around the two messages. */
const MESSAGE_TOKENS = 16;

/**
 * The messages that ask for a target, the same for the same input. A `ContextTooLongError` if what must be sent does not fit into the
 * window, an `UnknownVariableError` as the strategy says.
 */
export function buildContext(input: ContextInput): Context {
  const { window, target, skills } = input;
  // All texts that may come into the messages are in the input; JSON escapes nothing that a fence's name has.
  const fence = fenceFor([JSON.stringify(input)]);
  const { expand, unknown } = createExpansion(input, fence);
  const sections = sectionsOf({ input, fence, expand });
  const schemaTokens = mostTokensIn(JSON.stringify(answerSchema(target)));
  const fixed = schemaTokens + MESSAGE_TOKENS;
  const fitted = fit(sections, window.contextTokens - window.answerTokens - fixed);
  const textOf = (place: 'system' | 'user'): string =>
    fitted.sections
      .filter((section) => section.place === place)
      .map(({ text }) => text)
      .join('\n\n');
  const sources = fitted.sections.flatMap(({ source }) => source ?? []);
  return {
    messages: [
      { role: 'system', content: textOf('system') },
      { role: 'user', content: textOf('user') },
    ],
    sources: distinct(sources),
    cut: fitted.cut,
    tokens: fitted.tokens + fixed,
    skills: skills
      .map(({ skill_id }) => skill_id)
      .filter((id) => sources.some(({ kind, ref }) => kind === 'skill' && ref === id)),
    unknown_variables: [...unknown],
  };
}

function distinct(sources: readonly ContextSource[]): ContextSource[] {
  const byRef = new Map(sources.toReversed().map((source) => [`${source.kind} ${source.ref}`, source]));
  return [...byRef.values()].reverse();
}
