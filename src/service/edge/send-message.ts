import { messageOf } from '../../kit/errors.ts';
import { connect, exchange, type Message, type UpstreamResponse } from './exchange.ts';
import type { Target, Upstream } from './upstream.ts';
import { UpstreamError } from './upstream-error.ts';

export interface Sending {
  upstream: Upstream;
  message: Message;
}

/**
 * Sends a message to one process of a service. One that accepts no connection is left out for a while, and the next one gets the
 * message. Throws an UpstreamError if none answers.
 */
export async function sendMessage({ upstream, message }: Sending): Promise<UpstreamResponse> {
  const targets = upstream.targets();
  let mayRepeat = message.repeatable;
  let last: unknown;
  for (let target = targets.shift(); target; target = targets.shift()) {
    try {
      return await sendTo(target);
    } catch (error) {
      if (message.signal.aborted) throw error;
      last = error;
      if (isUnsent(error)) continue;
      if (!mayRepeat || !isCut(error)) throw error;
      mayRepeat = false;
      targets.push(target);
    }
  }
  throw last;

  async function sendTo(target: Target): Promise<UpstreamResponse> {
    const request = await connect(target, message, upstream.timeouts).catch((error: UpstreamError) => {
      if (!message.signal.aborted) upstream.markDown(target, `${error.fault}, ${messageOf(error.cause)}`);
      throw error;
    });
    upstream.markUp(target);
    return exchange(request, message, upstream.timeouts);
  }
}

const isUnsent = (error: unknown): boolean =>
  error instanceof UpstreamError && (error.fault === 'refused' || error.fault === 'unreachable');
const isCut = (error: unknown): boolean => error instanceof UpstreamError && error.fault === 'cut';
