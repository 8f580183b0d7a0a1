import type { CreditReservation } from '../../../src/access/credits.ts';
import type { PlanName } from '../../../src/access/plans.ts';
import type { Answered, Person } from './process.ts';

/** The bounds of a spend; both are equal once an answer is known. */
export interface Spend {
  least: number;
  most: number;
}

/** A request with a key, which must get the same answer again. */
export interface KeyedSpend {
  person: Person;
  key: string;
  amount: number;
  operation: string;
  atMs: number;
  answer: Answered;
}

export interface OpenReservation {
  reservation: CreditReservation;
  /** The end of the lease, as last told. */
  untilMs: number;
  /** Null until it is settled or released; `gone` once nothing more can be charged. */
  end: number | 'gone' | null;
}

export interface Redeemed {
  code: string;
  credits: number;
  plan: PlanName;
  cohort: string | null;
  fromMs: number;
  /** Each end that it had, and since when. */
  ends: { sinceMs: number; endsAtMs: number }[];
  isWithdrawn: boolean;
}

export const endOf = ({ ends }: Redeemed): number => ends.at(-1)?.endsAtMs ?? Number.NaN;

export interface BetaCode {
  code: string;
  credits: number;
  plan: PlanName;
  days: number;
  maxUses: number;
  cohort: string | null;
  isRevoked: boolean;
}

/** Credits that an operator gave, or took if the amount is below zero. */
export interface Correction {
  reason: string;
  amount: number;
  /** By how many credits the balance changed; null if nobody knows whether it did. */
  changed: number | null;
}

/** Of a person, or of the team if nobody is named. */
export interface QuotaChange {
  userId: string | null;
  /** Null for none. */
  quota: number | null;
  /** The number of samples before it. */
  step: number;
}

export interface QuotaRefusal {
  /** The user whose quota it was; null for the team's. */
  quotaOf: string | null;
  amount: number;
  /** The number of samples before it. */
  step: number;
}

export interface Sample {
  /** The last posting that was there. */
  seq: number;
  /** Credits a month. */
  monthly: number;
}

/** The due state of a tenant, in plain numbers, from what its people and the provider were told. */
export interface TenantModel {
  tenantId: string;
  people: Person[];
  /** By operation: every spend has a name of its own. */
  spends: Map<string, Spend>;
  keyed: KeyedSpend[];
  reservations: OpenReservation[];
  /** Ids of those that somebody was sent to. */
  pages: Set<string>;
  /** Credits by the id of the page on which they are paid. */
  blocks: Map<string, number>;
  /** A subscription was ended at the provider at once. */
  isEndedByHand: boolean;
  redeemed: Map<string, Redeemed>;
  corrections: Correction[];
  quotas: QuotaChange[];
  quotaRefusals: QuotaRefusal[];
  /** The tenant's limit for a month, after each step. */
  samples: Sample[];
}

export const createTenantModel = (tenantId: string, people: Person[]): TenantModel => ({
  tenantId,
  people,
  spends: new Map(),
  keyed: [],
  reservations: [],
  pages: new Set(),
  blocks: new Map(),
  isEndedByHand: false,
  redeemed: new Map(),
  corrections: [],
  quotas: [],
  quotaRefusals: [],
  samples: [],
});

/** The outcome of the deliveries of one event. */
export interface EventModel {
  /** Answers that were no duplicate. */
  firsts: number;
  accepted: boolean;
  /** When it was stored, as far as anybody knows. */
  acceptedAtMs: number;
  /** Deliveries whose answer nobody knows. */
  lost: number;
}

/** A person was refused this amount; `reason` is as the ledger or the code of an answer has it. */
export function noteRefusal(
  { quotaRefusals, samples }: TenantModel,
  refused: { userId: string; amount: number; reason: unknown },
): void {
  const { userId, amount, reason } = refused;
  const step = samples.length;
  if (/^user_quota/.test(String(reason))) quotaRefusals.push({ quotaOf: userId, amount, step });
  if (/^team_quota/.test(String(reason))) quotaRefusals.push({ quotaOf: null, amount, step });
}

export function mismatch(what: string, details: object): never {
  throw new Error(`${what}: ${JSON.stringify(details)}`);
}
