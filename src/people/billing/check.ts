import { type Clock, isoTime } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Payments } from '../../platform/payments/payments.ts';
import type { EventOutcome } from './billing.tables.ts';
import { CATALOG } from './catalog.ts';
import { createEventStore } from './events.store.ts';
import { missingEvents } from './setup.ts';

const RECENT_MS = 30 * 24 * 3_600_000;

export interface BillingCheck {
  provider: 'ok' | 'down' | 'not_configured';
  webhook_secret: boolean;
  last_event: { type: string; received_at: string; outcome: EventOutcome } | null;
  /** Of the last 30 days. */
  held_events: number;
  /** Each says what is missing, and what to do about it. */
  findings: string[];
}

export interface BillingCheckOptions {
  database: Database;
  clock: Clock;
  /** Null without BILLING_API_KEY. */
  payments: Payments | null;
  hasSecret: boolean;
  /** Where the provider should send events; null if nobody said. */
  webhookUrl: string | null;
}

/** Checks that an installation is ready to sell. */
export async function checkBilling(options: BillingCheckOptions): Promise<BillingCheck> {
  const { database, clock, payments, hasSecret } = options;
  const events = createEventStore(database.system);
  const [last] = await events.list({ limit: 1 });
  const held = await events.countSince('held', clock.now() - RECENT_MS);
  const { provider, findings } = await checkProvider(options);
  if (payments === null)
    findings.push('BILLING_API_KEY is not set: nothing can be bought. Set it to a key of the provider');
  if (!hasSecret)
    findings.push(
      'BILLING_WEBHOOK_SECRET is not set: events are refused. canonry billing setup makes a webhook and shows its secret',
    );
  if (held > 0)
    findings.push(
      `${held} ${held === 1 ? 'event' : 'events'} of the last 30 days ${held === 1 ? 'is' : 'are'} held and had no effect: see canonry billing events --outcome held`,
    );
  return {
    provider,
    webhook_secret: hasSecret,
    last_event: last
      ? { type: last.type, received_at: isoTime(last.received_at), outcome: last.outcome }
      : null,
    held_events: held,
    findings,
  };
}

async function checkProvider({
  payments,
  webhookUrl,
}: BillingCheckOptions): Promise<{ provider: BillingCheck['provider']; findings: string[] }> {
  if (payments === null) return { provider: 'not_configured', findings: [] };
  try {
    await payments.probe();
    const findings = [...(await productFindings(payments)), ...(await webhookFindings(payments, webhookUrl))];
    return { provider: 'ok', findings };
  } catch (error) {
    return { provider: 'down', findings: [`The provider does not answer as it should: ${messageOf(error)}`] };
  }
}

async function productFindings(payments: Payments): Promise<string[]> {
  const found = await payments.products();
  return CATALOG.flatMap(({ code }) => {
    const product = found.find((each) => each.code === code);
    if (product === undefined) return `The product ${code} is not on sale: run canonry billing setup`;
    return product.prices.length === 0 ? `The product ${code} has no price: run canonry billing setup` : [];
  });
}

async function webhookFindings(payments: Payments, url: string | null): Promise<string[]> {
  if (url === null)
    return ['PUBLIC_URL is not set, so the webhook was not checked: name it by --webhook-url'];
  const webhook = (await payments.webhooks()).find((each) => each.url === url);
  if (webhook === undefined) return [`The provider sends no events to ${url}: run canonry billing setup`];
  const missing = missingEvents(webhook);
  return [
    ...(webhook.isEnabled ? [] : [`The webhook ${url} is disabled: run canonry billing setup`]),
    ...(missing.length === 0
      ? []
      : [`The webhook ${url} does not get ${missing.join(', ')}: run canonry billing setup`]),
  ];
}
