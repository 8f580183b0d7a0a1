export type LimitKind = 'login' | 'anonymous' | 'user';

export interface RateDecision {
  allowed: boolean;
  limit: number;
  remaining: number;
  resetSeconds: number;
}

/** Null if the limit is off. */
export type RateLimit = (kind: LimitKind, key: string) => RateDecision | null | Promise<RateDecision | null>;

export const rateHeaders = (decision: RateDecision): Record<string, string> => ({
  'ratelimit-limit': String(decision.limit),
  'ratelimit-remaining': String(decision.remaining),
  'ratelimit-reset': String(decision.resetSeconds),
});
