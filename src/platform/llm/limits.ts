/** Of calls of a model, in milliseconds and bytes. */
export interface LlmLimits {
  /** From the request until the first byte of the answer: local models are loaded in this time. */
  firstByteMs: number;
  /** Between two pieces of the answer, while somebody reads it. */
  silenceMs: number;
  /** Of the whole call, repeats included. */
  totalMs: number;
  /** Of the answer, as it is sent. */
  answerBytes: number;
  /** Before the first repeat; each further one waits twice as long. */
  repeatMs: number;
  /** The longest `Retry-After` that is waited for. */
  retryAfterMs: number;
  /** How long a model is not sent schemas that has declined one. */
  schemaDeclinedMs: number;
}

const SECOND_MS = 1_000;
const MB = 1024 * 1024;

export const LLM_LIMITS: LlmLimits = {
  firstByteMs: 120 * SECOND_MS,
  silenceMs: 60 * SECOND_MS,
  totalMs: 600 * SECOND_MS,
  answerBytes: 32 * MB,
  repeatMs: 500,
  retryAfterMs: 10 * SECOND_MS,
  schemaDeclinedMs: 900 * SECOND_MS,
};
