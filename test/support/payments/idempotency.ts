import { ApiError } from './api-error.ts';

export interface Answer {
  status: number;
  body: object;
  headers?: Record<string, string>;
}

interface Kept {
  request: string;
  /** Null while the first call is not over. */
  answer: Answer | null;
}

export interface Idempotency {
  /** Does the work, or answers as at first. Refuses a key that is in use or was used for something else. */
  once(key: string | undefined, request: string, work: () => Answer): Answer;
  /** The answer was sent, or its caller is gone. */
  release(key: string | undefined): void;
}

export function createIdempotency(): Idempotency {
  const kept = new Map<string, Kept>();
  const inUse = new Set<string>();
  return {
    once(key, request, work) {
      if (key === undefined) return work();
      const before = kept.get(key);
      if (before && before.request !== request)
        throw new ApiError(400, {
          type: 'idempotency_error',
          message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        });
      if (inUse.has(key))
        throw new ApiError(409, {
          type: 'idempotency_error',
          code: 'idempotency_key_in_use',
          message: `There is currently another in-progress request using this Idempotent Key: ${key}`,
        });
      if (before?.answer) return { ...before.answer, headers: { 'idempotent-replayed': 'true' } };
      inUse.add(key);
      const answer = work();
      kept.set(key, { request, answer: structuredClone(answer) });
      return answer;
    },
    release(key) {
      if (key !== undefined) inUse.delete(key);
    },
  };
}
