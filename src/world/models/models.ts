import type { CreditOperation } from '../../access/credits.ts';
import type { FeatureOverrides } from '../../access/entitlements.ts';
import type { PlanName } from '../../access/plans.ts';
import type { ChatEvent, ChatRequest, Embedded, ModelAddress, Usage } from '../../platform/llm/llm.ts';

/** In whose name a model is asked. */
export interface AiCaller {
  tenantId: string;
  projectId: string;
  userId: string;
  plan: PlanName;
  /** The tenant's differences from its plan. */
  overrides?: FeatureOverrides;
}

export interface Provider {
  /** Unique among those that a caller may ask; `installation` for the one of the environment. */
  name: string;
  scope: 'installation' | 'tenant' | 'user';
  address: ModelAddress;
  /** Null if the provider has none. */
  embeddingModel: string | null;
  /** Tokens that a request and its answer may have together. */
  contextTokens: number;
  maxOutputTokens: number;
  /** False for the caller's own keys. */
  costsCredits: boolean;
  /** True where its address, and what it says about its account, are not for tenants to see. */
  isOperators: boolean;
}

export interface Spending {
  provider: Provider;
  operation: CreditOperation;
  /** The most tokens that all requests and answers of the work may have together; what is reserved. */
  mostTokens: number;
  signal: AbortSignal;
  /** Hears what was charged, also where the work fails. */
  onCharged?(credits: number): void;
}

/** Asks one provider, within one reservation. */
export interface ModelSession {
  chat(request: ChatRequest): AsyncIterable<ChatEvent>;
  embed(texts: readonly string[]): Promise<Embedded>;
}

export interface Spent<Result> {
  result: Result;
  usage: Usage;
  /** Credits charged. */
  credits: number;
}

export interface Models {
  state(caller: AiCaller): Promise<'off' | 'not_configured' | 'ready'>;
  /** The providers that the caller may ask, the default first; empty if AI is off. */
  list(caller: AiCaller): Promise<Provider[]>;
  /** 409 `ai_off` or `ai_not_configured`; 404 for an unknown name; 403 if the plan lacks `ai_generation` and no key of the caller's own is there. */
  pick(caller: AiCaller, name?: string): Promise<Provider>;
  /** Credits for so many tokens; 0 where the provider costs none. */
  priceOf(provider: Provider, tokens: number): number;
  /**
   * Reserves credits (402), waits for a free turn (429, 503), runs the work and settles what it used, also if it fails or the caller goes.
   * Failures of models become the API's errors with the code `ai_<failure>`: 422 for `too_long`, 409 for `refused_key`,
   * `unknown_model` and `refused`, 503 with `Retry-After` otherwise. 409 `ai_limit_reached` once `mostTokens` are used.
   */
  spend<Result>(
    caller: AiCaller,
    spending: Spending,
    work: (session: ModelSession) => Promise<Result>,
  ): Promise<Spent<Result>>;
}
