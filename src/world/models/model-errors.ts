import { conflict, HttpError, invalid } from '../../kit/errors.ts';
import { LlmError, type LlmFailure } from '../../platform/llm/llm.ts';
import type { Provider } from './models.ts';

const RETRY_AFTER_SECONDS = 10;

export const aiOff = () =>
  conflict('AI is switched off in this installation (setting AI)', { code: 'ai_off' });

export const aiNotConfigured = () =>
  conflict(
    'No model provider is set up: add one with PUT /api/ai/providers/{name}, or set AI_BASE_URL and AI_MODEL',
    { code: 'ai_not_configured' },
  );

/** Ends of a sentence about the model of this installation, where its address is not to be seen. */
const SAID_OF_OPERATORS: Readonly<Record<LlmFailure, string>> = {
  refused_key: 'does not accept the key of this installation: tell its administrators',
  unknown_model: 'is not there under its name any more: tell the administrators of this installation',
  busy: 'is busy: try again later',
  unreachable: 'cannot be reached at the moment: try again later',
  too_slow: 'took too long: try again later, or ask for less',
  too_long: 'has a smaller window than this needs: ask for less',
  bad_answer: 'answered in a form that cannot be read: try again',
  refused: 'declined the request',
};

/** The reply that a model's failure becomes: 409 and 422 for what a repeat would not change, else 503. Other errors stay as they are. */
export function apiErrorOf(error: unknown, { isOperators }: Pick<Provider, 'isOperators'>): unknown {
  if (!(error instanceof LlmError)) return error;
  const { failure, retryAfterMs } = error;
  const message = isOperators
    ? `The model of this installation ${SAID_OF_OPERATORS[failure]}`
    : error.message;
  const code = `ai_${failure}`;
  if (failure === 'too_long') return invalid(message, { code });
  if (failure === 'refused_key' || failure === 'unknown_model' || failure === 'refused')
    return conflict(message, { code });
  const seconds = retryAfterMs === null ? RETRY_AFTER_SECONDS : Math.ceil(retryAfterMs / 1_000);
  return new HttpError(503, message, { code, headers: { 'retry-after': String(Math.max(1, seconds)) } });
}
