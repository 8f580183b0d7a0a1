import Stripe from 'stripe';
import { PaymentsError } from '../payments.ts';
import { BoundedClient } from './bounded-client.ts';
import { isUnknown, toPaymentsError } from './failures.ts';
import type { Json } from './json.ts';

/** The readers of objects are written for it; webhooks come in the version of their endpoint. */
export const API_VERSION = '2026-10-28.endive';

export interface StripeOptions {
  apiKey: string;
  /** Null for the provider's own address. */
  apiBase: string | null;
  /** Milliseconds for one attempt, 10 000 by default. */
  timeoutMs?: number;
  /** Further attempts after one without an answer or with status 409 or 5xx, 2 by default. */
  retries?: number;
}

/** Calls of the library that reject only with `PaymentsError`. */
export interface StripeCaller {
  call<Result>(work: (stripe: Stripe) => Promise<Result>): Promise<Result>;
  /** Null if the provider does not know the id. */
  find<Result>(work: (stripe: Stripe) => Promise<Result>): Promise<Result | null>;
  /** Every object of a list, by pages. */
  all(page: ListPage): Promise<Json[]>;
  close(): void;
}

type ListPage = (
  stripe: Stripe,
  params: { limit: number; starting_after?: string },
) => Promise<Stripe.ApiList<{ id: string }>>;

const TIMEOUT_MS = 10_000;
const RETRIES = 2;
const PAGE = 100;
const MOST_PAGES = 50;

export function createStripeCaller(options: StripeOptions): StripeCaller {
  const { apiKey, apiBase, timeoutMs: timeout = TIMEOUT_MS, retries = RETRIES } = options;
  const base = apiBase === null ? null : new URL(apiBase);
  const protocol = base?.protocol === 'http:' ? 'http' : 'https';
  const httpClient = new BoundedClient(protocol);
  const stripe = new Stripe(apiKey, {
    apiVersion: API_VERSION,
    ...(base && { host: base.hostname, port: base.port || (protocol === 'http' ? 80 : 443), protocol }),
    httpClient,
    timeout,
    maxNetworkRetries: retries,
    telemetry: false,
  });

  async function call<Result>(work: (stripe: Stripe) => Promise<Result>): Promise<Result> {
    try {
      return await work(stripe);
    } catch (error) {
      throw toPaymentsError(error, apiKey);
    }
  }

  return {
    call,
    find: (work) =>
      call(async (given) => {
        try {
          return await work(given);
        } catch (error) {
          if (isUnknown(error)) return null;
          throw error;
        }
      }),
    all: (page) => call((given) => readAll(given, page)),
    close: () => httpClient.close(),
  };
}

async function readAll(stripe: Stripe, page: ListPage): Promise<Json[]> {
  const found: { id: string }[] = [];
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const after = found.at(-1)?.id;
    const { data, has_more: hasMore } = await page(stripe, {
      limit: PAGE,
      ...(after !== undefined && { starting_after: after }),
    });
    found.push(...data);
    if (!hasMore || data.length === 0) return found.map((each) => ({ ...each }));
  }
  throw new PaymentsError('invalid', `The billing provider lists more than ${MOST_PAGES * PAGE} objects`);
}
