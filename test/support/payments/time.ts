import { charge } from './invoices.ts';
import type { Subscription } from './objects.ts';
import type { Store } from './store.ts';
import { announce, end, failed, itemOf, renew } from './subscriptions.ts';

const DAY = 86_400;
const DAYS_BEFORE = 3 * DAY;

/** Something that happens by itself, at a time in seconds. */
interface Due {
  at: number;
  run(): void;
}

/** Does everything that is due by now, in its order, each at its own time. */
export function catchUp(store: Store): void {
  const until = store.seconds();
  for (;;) {
    const [first] = dueIn(store)
      .filter(({ at }) => at <= until)
      .sort((a, b) => a.at - b.at);
    if (first === undefined) break;
    store.hold(first.at * 1000);
    first.run();
    store.hold(null);
  }
}

function dueIn(store: Store): Due[] {
  const subscriptions = [...store.subscriptions.values()].filter(({ status }) => status !== 'canceled');
  const sessions = [...store.checkouts.values()].filter(({ status }) => status === 'open');
  return [
    ...subscriptions.flatMap((each) => dueOf(store, each)),
    ...sessions.map((session) => ({
      at: session.expires_at,
      run: () => void Object.assign(session, { status: 'expired', url: null }),
    })),
    ...retriesIn(store),
  ];
}

function dueOf(store: Store, subscription: Subscription): Due[] {
  const { current_period_end: periodEnd } = itemOf(subscription);
  const { id, status, trial_end: trialEnd, cancel_at_period_end: cancels } = subscription;
  const due: Due[] = [
    { at: periodEnd, run: () => void (cancels ? end(store, subscription) : renew(store, subscription)) },
  ];
  const once = (what: string, run: () => void) => {
    const at = Math.max(periodEnd - DAYS_BEFORE, subscription.created);
    const name = `${what} ${id} ${periodEnd}`;
    if (store.announced.has(name)) return;
    due.push({
      at,
      run: () => {
        store.announced.add(name);
        run();
      },
    });
  };
  if (status === 'trialing' && trialEnd === periodEnd)
    once('trial', () => store.emit('customer.subscription.trial_will_end', subscription));
  if (!cancels) once('upcoming', () => announce(store, subscription));
  return due;
}

/** The last attempt that fails ends the subscription. */
function retriesIn(store: Store): Due[] {
  return [...store.invoices.values()].flatMap((invoice) => {
    const at = invoice.status === 'open' ? invoice.next_payment_attempt : null;
    return at === null ? [] : [{ at, run: () => void tryAgain(store, invoice.id) }];
  });
}

/** Charges the customer's card for an open invoice; returns whether it was paid. */
export function tryAgain(store: Store, invoiceId: string): boolean {
  const invoice = store.invoices.get(invoiceId);
  if (invoice?.status !== 'open') throw new Error(`${invoiceId} is ${invoice?.status ?? 'unknown'}`);
  const paid = charge(store, invoice);
  const subscription = store.subscriptions.get(invoice.parent?.subscription_details.subscription ?? '');
  if (paid) {
    store.emit('invoice.paid', invoice);
    if (subscription?.status === 'past_due') {
      subscription.status = 'active';
      store.emit('customer.subscription.updated', subscription, { status: 'past_due' });
    }
    return true;
  }
  failed(store, invoice);
  if (invoice.next_payment_attempt === null && subscription && subscription.status !== 'canceled')
    end(store, subscription);
  return false;
}
