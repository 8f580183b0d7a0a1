import type {
  PaymentProduct,
  Payments,
  PaymentWebhook,
  ProductPlan,
} from '../../platform/payments/payments.ts';
import { CATALOG, EVENT_TYPES } from './catalog.ts';

type Step = 'create' | 'change' | 'keep';

export interface ProductStep {
  step: Step;
  product: ProductPlan;
}

export interface WebhookStep {
  step: Step;
  url: string;
  before: PaymentWebhook | null;
}

export interface SetupPlan {
  products: ProductStep[];
  /** Null if nobody said where events go. */
  webhook: WebhookStep | null;
}

type SetupPayments = Pick<Payments, 'products' | 'putProduct' | 'webhooks' | 'addWebhook' | 'changeWebhook'>;

const priceKeys = (prices: ProductPlan['prices']): string =>
  prices
    .map(({ amount, currency, interval }) => `${amount} ${currency} ${interval}`)
    .toSorted()
    .join(', ');

function isSold(product: ProductPlan, found: PaymentProduct): boolean {
  return (
    found.name === product.name &&
    found.description === product.description &&
    found.plan === product.plan &&
    found.credits === product.credits &&
    found.perSeat === product.perSeat &&
    priceKeys(found.prices) === priceKeys(product.prices)
  );
}

/** Events that an endpoint does not get. */
export const missingEvents = ({ events }: PaymentWebhook): string[] =>
  events.includes('*') ? [] : EVENT_TYPES.filter((type) => !events.includes(type));

/** Lists the steps at the provider, after which it sells what is in the catalogue and sends its events here. */
export async function planSetup(payments: SetupPayments, webhookUrl: string | null): Promise<SetupPlan> {
  const found = await payments.products();
  const products = CATALOG.map((product): ProductStep => {
    const before = found.find(({ code }) => code === product.code);
    const step = before === undefined ? 'create' : isSold(product, before) ? 'keep' : 'change';
    return { step, product };
  });
  return { products, webhook: webhookUrl === null ? null : await planWebhook(payments, webhookUrl) };
}

async function planWebhook(payments: SetupPayments, url: string): Promise<WebhookStep> {
  const before = (await payments.webhooks()).find((each) => each.url === url) ?? null;
  if (before === null) return { step: 'create', url, before };
  const isFine = before.isEnabled && missingEvents(before).length === 0;
  return { step: isFine ? 'keep' : 'change', url, before };
}

/** Does what was planned; repeating it changes nothing. Returns the secret of a new webhook, which is shown only once. */
export async function performSetup(payments: SetupPayments, plan: SetupPlan): Promise<string | null> {
  for (const { step, product } of plan.products) if (step !== 'keep') await payments.putProduct(product);
  const { webhook } = plan;
  if (webhook === null || webhook.step === 'keep') return null;
  const { url, before } = webhook;
  if (before === null) {
    const { secret } = await payments.addWebhook({ url, events: [...EVENT_TYPES], isEnabled: true });
    return secret;
  }
  const events = [...new Set([...before.events, ...EVENT_TYPES])];
  await payments.changeWebhook({ ...before, events, isEnabled: true });
  return null;
}
