import type { Dialect } from '../../kit/model-dialects.ts';

export interface ModelAddress {
  kind: Dialect;
  /** With the version and without the final path, such as `http://127.0.0.1:11434/v1`. */
  baseUrl: string;
  model: string;
  apiKey: string | null;
}

export interface Picture {
  mediaType: string;
  bytes: Uint8Array;
}

export interface ToolCall {
  id: string;
  name: string;
  /** As the model sent it: parsed, not validated. */
  input: unknown;
}

export type ChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string; pictures?: readonly Picture[] }
  | { role: 'assistant'; content: string; calls?: readonly ToolCall[] }
  /** The result of a call. */
  | { role: 'tool'; callId: string; name: string; content: string };

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ToolDescription {
  name: string;
  description: string;
  input: JsonSchema;
}

export interface ChatRequest {
  messages: readonly ChatMessage[];
  maxOutputTokens: number;
  temperature?: number;
  /** The answer is to be JSON of this schema. Models may still answer something else: the caller validates. */
  schema?: JsonSchema;
  tools?: readonly ToolDescription[];
}

export interface Usage {
  inputTokens: number;
  outputTokens: number;
}

export type ChatEvent =
  | { type: 'delta'; text: string }
  | { type: 'call'; call: ToolCall }
  /**
   * Always the last event. Usage is estimated from the texts if the provider does not tell. `schemaDeclined`: the provider takes no
   * schema, so that the messages alone have asked for JSON.
   */
  | {
      type: 'end';
      reason: 'stop' | 'length' | 'calls' | 'filtered';
      usage: Usage;
      schemaDeclined?: boolean;
    };

export interface Embedded {
  /** One per text, in their order, all of the same length. */
  vectors: readonly Float32Array[];
  usage: Usage;
}

/**
 * Asks models. Requests go only to the given address, follow no redirect and end with the signal. A request is repeated (429,
 * overload, connection lost) only before the first event of its answer. All failures are `LlmError`s; an abort rejects with the signal's reason.
 */
export interface Llm {
  chat(address: ModelAddress, request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent>;
  embed(address: ModelAddress, texts: readonly string[], signal: AbortSignal): Promise<Embedded>;
  /** Names of the models behind an address. */
  models(address: ModelAddress, signal: AbortSignal): Promise<string[]>;
}

/**
 * `refused_key`: 401 or 403. `unknown_model`. `busy`: 429 or overload that lasted. `unreachable`: no connection, or forbidden by the
 * outgoing rules. `too_slow`: silence or a total time over the limits. `too_long`: the context does not fit. `bad_answer`: not
 * what the dialect says, or endless. `refused`: the provider declined for another reason.
 */
export type LlmFailure =
  | 'refused_key'
  | 'unknown_model'
  | 'busy'
  | 'unreachable'
  | 'too_slow'
  | 'too_long'
  | 'bad_answer'
  | 'refused';

/** The message is safe to show: it has neither key nor headers, at most a cut piece of the provider's own message. */
export class LlmError extends Error {
  override readonly name = 'LlmError';
  readonly failure: LlmFailure;
  readonly retryAfterMs: number | null;

  constructor(failure: LlmFailure, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
  }
}
