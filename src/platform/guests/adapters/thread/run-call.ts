import type { Bridge } from './bridge.ts';
import type { Instance } from './instance.ts';
import { type CallOrder, MOST_BYTES, type Outcome, sizeOf } from './messages.ts';

const MOST_MESSAGE = 1_000;

/** Runs one call. Never throws: the outcome says how it ended. */
export function runCall(instance: Instance, bridge: Bridge, order: CallOrder): Outcome {
  const method = instance.exports[order.interface]?.[order.method];
  if (method === undefined)
    return { type: 'failed', code: 'not_exported', message: `The guest has no ${order.interface}` };
  try {
    const result = method(...order.args);
    const stop = bridge.stopped();
    if (stop) return { type: 'failed', ...stop };
    if (sizeOf(result, MOST_BYTES) > MOST_BYTES)
      return { type: 'failed', code: 'bad_result', message: 'Its result is longer than 1 MiB' };
    return { type: 'done', result, isLast: instance.isFull() };
  } catch (error) {
    return failureOf(error, instance, bridge);
  }
}

export function failureOf(error: unknown, instance: Instance | null, bridge: Bridge): Outcome {
  const stop = bridge.stopped();
  if (stop) return { type: 'failed', ...stop };
  if (instance?.isFull())
    return { type: 'failed', code: 'memory', message: 'It needed more memory than the 64 MiB of a guest' };
  if (isRecord(error) && 'payload' in error)
    return { type: 'failed', code: 'failed', message: String(error.payload).slice(0, MOST_MESSAGE) };
  // The translation throws type errors for values that cannot be of the declared types.
  const { name, message } = described(error);
  const code = name === 'TypeError' ? 'bad_result' : 'trap';
  return { type: 'failed', code, message: message.slice(0, MOST_MESSAGE) };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Errors of the guest's realm are no instances of this one's `Error`. */
const described = (error: unknown): { name: string; message: string } =>
  isRecord(error)
    ? { name: String(error.name), message: String(error.message) }
    : { name: '', message: String(error) };
