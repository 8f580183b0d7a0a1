import { HttpError, messageOf } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { cutAfter } from '../../text/cut.ts';
import { TRIALS, tryStructuredOutput } from './capabilities.ts';
import { apiErrorOf } from './model-errors.ts';
import type { ProviderTestReply } from './models.contract.ts';
import type { AiCaller, ModelSession, Models, Provider } from './models.ts';

type Capabilities = ProviderTestReply['capabilities'];
type Outcome = Omit<ProviderTestReply, 'name' | 'model' | 'usage' | 'credits'>;

const WITHIN_MS = 60_000;
const MOST_TOKENS = 5_000;
const MOST_SHOWN = 200;

const untried = (detail: string) => ({ works: false, detail });
const NOT_TRIED = untried('Not tried, because it did not answer');
const SPEAKING = {
  messages: [{ role: 'user' as const, content: 'Count from one to five in words, separated by spaces.' }],
  maxOutputTokens: 400,
};

/** Tries a provider with small questions, one after the other, since a local model answers one at a time. */
export async function testProvider(
  models: Models,
  caller: AiCaller,
  provider: Provider,
  gone: AbortSignal,
): Promise<ProviderTestReply> {
  const late = AbortSignal.timeout(WITHIN_MS);
  const { result, usage, credits } = await models.spend(
    caller,
    {
      provider,
      operation: { id: newId(), kind: 'ai_test' },
      mostTokens: MOST_TOKENS,
      signal: AbortSignal.any([gone, late]),
    },
    (session) => tryAll(session, provider, { gone, late }),
  );
  return {
    name: provider.name,
    model: provider.address.model,
    ...result,
    usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
    credits,
  };
}

async function tryAll(
  session: ModelSession,
  provider: Provider,
  { gone, late }: { gone: AbortSignal; late: AbortSignal },
): Promise<Outcome> {
  const failureOf = (error: unknown) => {
    gone.throwIfAborted();
    if (late.aborted) return { detail: `Not within ${WITHIN_MS / 1_000} seconds`, code: 'ai_too_slow' };
    const shown = apiErrorOf(error, provider);
    if (!(shown instanceof HttpError)) throw error;
    return { detail: messageOf(shown), code: shown.extras.code ?? 'ai_refused' };
  };
  const { answer, stream, ...spoken } = await speak(session).catch((error: unknown) => ({
    answer: null,
    stream: NOT_TRIED,
    first_ms: null,
    total_ms: null,
    error: failureOf(error),
  }));
  const capabilities: Capabilities = {
    stream,
    tools: NOT_TRIED,
    structured_output: { ...NOT_TRIED, native: false },
    vision: NOT_TRIED,
    embeddings: NOT_TRIED,
  };
  if (answer !== null) {
    for (const [name, trial] of entries(TRIALS)) {
      const detail = await trial(session, provider).catch((error: unknown) => failureOf(error).detail);
      capabilities[name] = { works: detail === null, detail };
    }
    capabilities.structured_output = await tryStructuredOutput(session).catch((error: unknown) => ({
      ...untried(failureOf(error).detail),
      native: false,
    }));
  }
  return { works: answer !== null, answer, ...spoken, capabilities };
}

async function speak(session: ModelSession) {
  const began = performance.now();
  const sinceMs = () => Math.round(performance.now() - began);
  let text = '';
  let pieces = 0;
  let firstMs: number | null = null;
  for await (const event of session.chat(SPEAKING)) {
    if (event.type !== 'delta') continue;
    firstMs ??= sinceMs();
    pieces += 1;
    text += event.text;
  }
  return {
    answer: cutAfter(text, MOST_SHOWN),
    stream: pieces > 1 ? { works: true, detail: null } : untried('Its answer came in one piece'),
    first_ms: firstMs,
    total_ms: sinceMs(),
    error: null,
  };
}

const entries = <Value extends object>(value: Value) =>
  Object.entries(value) as [keyof Value, Value[keyof Value]][];
