import type { ApiErrorBody } from './api-error.ts';

/** Something that goes wrong with the next requests that it is for. */
export interface Fault {
  /** Of requests as `POST /v1/customers`; all by default. */
  match?: RegExp;
  /** How many requests; 1 by default. */
  times?: number;
  /** The effect that the request has before it goes wrong: `none` by default. A `cut` answer always has it. */
  effect?: 'done' | 'none';
  /** Answers with a status and an error of its true shape, or as it is. */
  status?: number;
  error?: Partial<ApiErrorBody>;
  body?: string;
  headers?: Record<string, string>;
  /** `cut`: half of the answer arrives. `reset`: the connection ends without one. `silent`: nothing comes. */
  connection?: 'cut' | 'reset' | 'silent';
  /** The answer comes in pieces without an end. */
  drip?: boolean;
  /** Before the answer, which is right if nothing else is asked for. */
  delayMs?: number;
}

export interface Faults {
  /** Used in the order given. */
  next(fault: Fault): void;
  /** Forgets those that were not used. */
  clear(): void;
}

export function createFaults(): Faults & { take(request: string): Fault | undefined } {
  let waiting: { fault: Fault; left: number }[] = [];
  return {
    next: (fault) => void waiting.push({ fault, left: fault.times ?? 1 }),
    clear() {
      waiting = [];
    },
    take(request) {
      const found = waiting.find(({ fault, left }) => left > 0 && (fault.match?.test(request) ?? true));
      if (found) found.left -= 1;
      return found?.fault;
    },
  };
}

const TYPES: Record<number, [type: string, code?: string]> = {
  400: ['invalid_request_error'],
  401: ['invalid_request_error'],
  402: ['card_error', 'card_declined'],
  404: ['invalid_request_error', 'resource_missing'],
  409: ['invalid_request_error', 'lock_timeout'],
  429: ['invalid_request_error', 'rate_limit'],
};

export function errorOf(status: number, { error }: Fault): object {
  const [type, code] = TYPES[status] ?? ['api_error'];
  return { error: { type, ...(code && { code }), message: `Status ${status} on demand`, ...error } };
}
