import { isoTime, systemClock } from '../kit/clock.ts';
import type { Config } from '../kit/config/index.ts';
import {
  checkBilling,
  createEventStore,
  EVENT_OUTCOMES,
  type EventOutcome,
  type EventRow,
  performSetup,
  planSetup,
  type SetupPlan,
} from '../people/billing/index.ts';
import { moneyText } from '../platform/payments/money.ts';
import type { Payments } from '../platform/payments/payments.ts';
import { openPayments } from '../surfaces/payments.ts';
import { type CliContext, CommandError, writeError, writeJson, writeLine } from './context.ts';
import { readDatabase } from './database.ts';
import { placeOf } from './people.ts';
import { columns, styled } from './terminal.ts';

const WEBHOOK_PATH = '/api/billing/webhook';

interface Output {
  json?: boolean;
}

interface Addressed extends Output {
  webhookUrl?: string;
}

function webhookUrlOf({ publicUrl }: Config, given: string | undefined): string | null {
  if (given === undefined)
    return publicUrl === null ? null : `${publicUrl.replace(/\/$/, '')}${WEBHOOK_PATH}`;
  if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return given;
  throw new CommandError(`'${given}' is no address: write https://…${WEBHOOK_PATH}`);
}

async function withPayments<Result>(
  config: Config,
  work: (payments: Payments | null) => Promise<Result>,
): Promise<Result> {
  const payments = await openPayments(config);
  try {
    return await work(payments);
  } finally {
    payments?.close();
  }
}

const MODE = /^[a-z]+_test_/;
/** The provider's keys say so themselves. */
const isTestKey = ({ billingApiKey }: Config): boolean => MODE.test(billingApiKey ?? '');

export async function setUpBilling(
  context: CliContext,
  { dryRun = false, webhookUrl, json }: Addressed & { dryRun?: boolean },
): Promise<void> {
  const { config } = placeOf(context);
  const url = webhookUrlOf(config, webhookUrl);
  await withPayments(config, async (payments) => {
    if (payments === null)
      throw new CommandError(
        'BILLING_API_KEY is not set: make a secret key at the provider and set it (see docs/billing.md)',
      );
    const plan = await planSetup(payments, url);
    const secret = dryRun ? null : await performSetup(payments, plan);
    if (json)
      writeJson(context, {
        dry_run: dryRun,
        test_mode: isTestKey(config),
        products: plan.products.map(({ step, product }) => ({ step, code: product.code })),
        webhook: plan.webhook && { step: plan.webhook.step, url: plan.webhook.url },
        webhook_secret: secret,
      });
    else showSetup(context, plan, { dryRun, secret, isTest: isTestKey(config) });
  });
}

const DONE = { create: 'created', change: 'changed', keep: 'as it is' } as const;
const PLANNED = { create: 'create', change: 'change', keep: 'as it is' } as const;

function showSetup(
  context: CliContext,
  { products, webhook }: SetupPlan,
  { dryRun, secret, isTest }: { dryRun: boolean; secret: string | null; isTest: boolean },
): void {
  const words = dryRun ? PLANNED : DONE;
  const rows = products.map(({ step, product }) => [words[step], product.code, pricesOf(product)]);
  const last = webhook === null ? [] : [[words[webhook.step], 'webhook', webhook.url]];
  if (isTest) writeLine(context, 'The key is for test mode: no money moves.');
  for (const line of columns([...rows, ...last])) writeLine(context, line);
  if (webhook === null)
    writeLine(
      context,
      'No webhook was looked at: set PUBLIC_URL, or name the address by --webhook-url. Without one, payments have no effect here.',
    );
  if (dryRun) writeLine(context, 'Nothing was changed: run it without --dry-run to do this.');
  if (secret === null) return;
  writeLine(context, '');
  writeLine(context, 'The secret of the new webhook, shown only now. Set it and restart the service:');
  writeLine(context, `BILLING_WEBHOOK_SECRET=${secret}`);
}

const PER = { month: ' a month', year: ' a year' } as const;

const pricesOf = ({ prices, perSeat }: SetupPlan['products'][number]['product']): string =>
  prices
    .map(({ interval, ...price }) => `${moneyText(price)}${interval === null ? '' : PER[interval]}`)
    .join(', ') + (perSeat ? ', for each seat' : '');

/** False if anything is missing. */
export async function showBilling(context: CliContext, { json, webhookUrl }: Addressed): Promise<boolean> {
  const { config, schema } = placeOf(context);
  const hasSecret = config.billingWebhookSecret !== null;
  const url = webhookUrlOf(config, webhookUrl);
  const check = await withPayments(config, (payments) =>
    readDatabase(
      config,
      (database) => checkBilling({ database, clock: systemClock, payments, hasSecret, webhookUrl: url }),
      schema,
    ),
  );
  const { provider, last_event: last, findings } = check;
  if (json) writeJson(context, { test_mode: isTestKey(config), ...check });
  else {
    const lines = columns([
      ['Provider', `${provider}${isTestKey(config) ? ' (test mode)' : ''}`],
      ['Webhook secret', hasSecret ? 'set' : 'missing'],
      ['Last event', last === null ? 'none' : `${last.type}, ${last.received_at}, ${last.outcome}`],
    ]);
    for (const line of lines) writeLine(context, line);
    for (const finding of findings) writeError(context, styled(context, 'yellow', finding));
    if (findings.length === 0) writeLine(context, 'Nothing is missing.');
  }
  return findings.length === 0;
}

export async function listEvents(
  context: CliContext,
  { json, type, outcome, limit }: Output & { type?: string; outcome?: string; limit: number },
): Promise<void> {
  const filter = {
    limit,
    ...(type !== undefined && { type }),
    ...(outcome !== undefined && { outcome: outcomeNamed(outcome) }),
  };
  const { config, schema } = placeOf(context);
  const events = await readDatabase(
    config,
    (database) => createEventStore(database.system).list(filter),
    schema,
  );
  if (json) return writeJson(context, { events: events.map(shownEvent) });
  const rows = events.map(({ received_at, type, outcome, event_id, note }) => [
    isoTime(received_at),
    type,
    outcome,
    event_id,
    note ?? '',
  ]);
  const [head, ...lines] = columns([['RECEIVED', 'TYPE', 'OUTCOME', 'EVENT', 'NOTE'], ...rows]);
  writeLine(context, styled(context, 'bold', head ?? ''));
  for (const line of lines) writeLine(context, line);
}

function outcomeNamed(text: string): EventOutcome {
  const outcome = EVENT_OUTCOMES.find((each) => each === text);
  if (outcome !== undefined) return outcome;
  throw new CommandError(`there is no outcome '${text}': use one of ${EVENT_OUTCOMES.join(', ')}`);
}

const shownEvent = ({ created_at, received_at, ...row }: EventRow) => ({
  ...row,
  created_at: isoTime(created_at),
  received_at: isoTime(received_at),
});
