import { finished, Readable } from 'node:stream';
import { Reply } from '../route.ts';

/** What is to happen once a request has all that it asked for: its handler is over, and so is the stream it answered with. */
export function createRequestEnd() {
  const listeners: (() => void)[] = [];
  const end = () => {
    for (const listener of listeners.splice(0)) listener();
  };
  return {
    onEnd: (listener: () => void): void => void listeners.push(listener),
    /** To be called with what the handler answered; `undefined` when it failed. */
    answered(result: unknown): void {
      const body = result instanceof Reply ? result.body : result;
      if (listeners.length > 0 && body instanceof Readable) finished(body, end);
      else end();
    },
  };
}
