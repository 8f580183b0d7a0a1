import { messageOf } from '../../kit/errors.ts';
import { type Answer, connect, exchange, type Message } from './exchange.ts';
import type { Target, Upstream } from './upstream.ts';
import { UpstreamError } from './upstream-error.ts';

export interface Sending {
  upstream: Upstream;
  message: Message;
}

/**
 * Sends a message to a process of a service. One that takes no connection is left out, and another one gets the message.
 * Throws an UpstreamError when none answers.
 */
export async function sendMessage({ upstream, message }: Sending): Promise<Answer> {
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

  async function sendTo(target: Target): Promise<Answer> {
    const request = await connect(target, message, upstream.patience).catch((error: UpstreamError) => {
      if (!message.signal.aborted) upstream.leaveOut(target, `${error.fault}, ${messageOf(error.cause)}`);
      throw error;
    });
    upstream.takeIn(target);
    return exchange(request, message, upstream.patience);
  }
}

const isUnsent = (error: unknown): boolean =>
  error instanceof UpstreamError && (error.fault === 'refused' || error.fault === 'unreachable');
const isCut = (error: unknown): boolean => error instanceof UpstreamError && error.fault === 'cut';
