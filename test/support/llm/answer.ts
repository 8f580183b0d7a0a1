/** The scripted model's answer to one request. An empty one is a short text, as from a model that works. */
export interface Answer {
  text?: string;
  /** Sent before the text as the model's thinking, which nobody is to see. */
  thinking?: string;
  calls?: readonly { id?: string; name: string; input: unknown }[];
  reason?: 'stop' | 'length' | 'calls' | 'filtered';
  /** Null leaves it out. */
  usage?: { input: number; output: number } | null;
  /** Pieces that the text is cut into; each is an event. One for each word by default. */
  pieces?: number;
  /** `odd`: in chunks that end inside letters and lines. `drip`: a byte at a time, without an end. */
  chunks?: 'events' | 'odd' | 'drip';
  /** Instead of an answer. */
  refuse?: { status: number; message?: string; code?: string; headers?: Record<string, string> };
  /** An error as an event of a stream that began with 200. */
  failWith?: { message: string; type: string; code?: number };
  /** Says nothing: at once, or after the first piece. */
  silent?: 'at_once' | 'later';
  /** Goes on without an end. */
  endless?: boolean;
  /** Hangs up after the first piece. */
  hangUp?: 'reset' | 'end';
  /** Waits for this before it answers. */
  after?: Promise<unknown>;
}

export interface LlmRequest {
  method: string;
  path: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  bytes: Buffer;
  /** Parsed; null if there is none. */
  body: LlmBody | null;
}

/** The fields that both dialects have in common, loosely. */
export interface LlmBody extends Record<string, unknown> {
  model: string;
  messages: { role: string; content: unknown }[];
  tools?: Record<string, unknown>[];
  input?: string[];
}

/** Answers in their order, the last one again and again; or whatever a function makes of the request. */
export type Script = Answer | readonly Answer[] | ((request: LlmRequest, index: number) => Answer);

export function piecesOf({ text = 'An answer.', pieces }: Answer): string[] {
  if (text === '') return [];
  if (pieces === undefined) return text.match(/\s*\S+|\s+$/g) ?? [text];
  const letters = [...text];
  const size = Math.ceil(letters.length / pieces);
  return Array.from({ length: pieces }, (_, at) => letters.slice(at * size, (at + 1) * size).join('')).filter(
    (piece) => piece !== '',
  );
}

export const usageOf = ({ usage }: Answer) => (usage === undefined ? { input: 12, output: 7 } : usage);
export const reasonOf = ({ reason, calls }: Answer) => reason ?? (calls ? 'calls' : 'stop');
export const callsOf = ({ calls = [] }: Answer) =>
  calls.map(({ id, name, input }, at) => ({
    id: id ?? `call_${at + 1}`,
    name,
    // A text is sent as it is, so that a script can send half of a JSON.
    input: typeof input === 'string' ? input : JSON.stringify(input),
  }));
