import { type ChatMessage, type ChatRequest, LlmError, type ModelAddress } from '../../platform/llm/llm.ts';
import type { WireAddress, WireFailure } from './inference.contract.ts';

/** How the calls of the port look between a core and the AI surface. Both ends are of the same version. */
export const toWireAddress = ({ kind, baseUrl, model, apiKey }: ModelAddress): WireAddress => ({
  kind,
  base_url: baseUrl,
  model,
  api_key: apiKey,
});

export const fromWireAddress = ({ kind, base_url, model, api_key }: WireAddress): ModelAddress => ({
  kind,
  baseUrl: base_url,
  model,
  apiKey: api_key,
});

export const toWireRequest = ({ messages, ...rest }: ChatRequest): Record<string, unknown> => ({
  ...rest,
  messages: messages.map((message) =>
    message.role === 'user' && message.pictures
      ? { ...message, pictures: message.pictures.map(packed) }
      : message,
  ),
});

interface PackedPicture {
  mediaType: string;
  base64: string;
}
type PackedMessage = Exclude<ChatMessage, { role: 'user' }> | PackedUserMessage;
interface PackedUserMessage {
  role: 'user';
  content: string;
  pictures?: readonly PackedPicture[];
}

/** Only other surfaces get here, with the shared token, so the form is trusted. */
export function fromWireRequest(wire: Record<string, unknown>): ChatRequest {
  const { messages, ...rest } = wire as unknown as Omit<ChatRequest, 'messages'> & {
    messages: readonly PackedMessage[];
  };
  return {
    ...rest,
    messages: messages.map((message) =>
      message.role === 'user'
        ? {
            role: message.role,
            content: message.content,
            ...(message.pictures && { pictures: message.pictures.map(unpacked) }),
          }
        : message,
    ),
  };
}

const packed = ({ mediaType, bytes }: { mediaType: string; bytes: Uint8Array }): PackedPicture => ({
  mediaType,
  base64: Buffer.from(bytes).toString('base64'),
});
const unpacked = ({ mediaType, base64 }: PackedPicture) => ({
  mediaType,
  bytes: Buffer.from(base64, 'base64'),
});

export const toWireFailure = ({ failure, message, retryAfterMs }: LlmError): WireFailure => ({
  failure,
  message,
  retry_after_ms: retryAfterMs,
});

export const fromWireFailure = ({ failure, message, retry_after_ms }: WireFailure): LlmError =>
  new LlmError(failure, message, retry_after_ms);

export const toWireVector = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');

export function fromWireVector(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  const numbers = new Float32Array(bytes.length / Float32Array.BYTES_PER_ELEMENT);
  new Uint8Array(numbers.buffer).set(bytes.subarray(0, numbers.byteLength));
  return numbers;
}
