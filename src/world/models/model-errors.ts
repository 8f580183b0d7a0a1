import { conflict, HttpError, invalid } from '../../kit/errors.ts';
import { LlmError } from '../../platform/llm/llm.ts';

const RETRY_AFTER_SECONDS = 10;

export const aiOff = () =>
  conflict('AI is switched off in this installation (setting AI)', { code: 'ai_off' });

export const aiNotConfigured = () =>
  conflict(
    'No model provider is set up: add one with PUT /api/ai/providers/{name}, or set AI_BASE_URL and AI_MODEL',
    { code: 'ai_not_configured' },
  );

/** The reply that a model's failure becomes: 409 and 422 for what a repeat would not change, else 503. Other errors stay as they are. */
export function apiErrorOf(error: unknown): unknown {
  if (!(error instanceof LlmError)) return error;
  const { failure, message, retryAfterMs } = error;
  const code = `ai_${failure}`;
  if (failure === 'too_long') return invalid(message, { code });
  if (failure === 'refused_key' || failure === 'unknown_model' || failure === 'refused')
    return conflict(message, { code });
  const seconds = retryAfterMs === null ? RETRY_AFTER_SECONDS : Math.ceil(retryAfterMs / 1_000);
  return new HttpError(503, message, { code, headers: { 'retry-after': String(Math.max(1, seconds)) } });
}
