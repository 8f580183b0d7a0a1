import { finished, Readable } from 'node:stream';
import { Reply } from '../route.ts';

/** The end comes after the handler and any stream that it returned. */
export function createRequestEnd() {
  const listeners: (() => void)[] = [];
  const end = () => {
    for (const listener of listeners.splice(0)) listener();
  };
  return {
    onEnd: (listener: () => void): void => void listeners.push(listener),
    /** Must be called with the handler's result; `undefined` if it failed. */
    answered(result: unknown): void {
      const body = result instanceof Reply ? result.body : result;
      if (listeners.length > 0 && body instanceof Readable) finished(body, end);
      else end();
    },
  };
}
