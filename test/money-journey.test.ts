import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { PASSWORD } from './support/accounts.ts';
import {
  type Answer,
  type MoneyWorld,
  type Payer,
  payer,
  planWithinFiveSeconds,
  startMoneyWorld,
} from './support/money-journey.ts';
import { openTestSocket } from './support/sockets.ts';
import { until } from './support/until.ts';
import { unzipped } from './support/zip.ts';

const DAY_MS = 24 * 3_600_000;
const TEAM_CREDITS = 750;
const INDIE_CREDITS = 500;
const SEATS = 2;
const MONTH = TEAM_CREDITS * SEATS;
const BLOCK = 500;
/** Then the provider has sent its event again. */
const LONGEST_WAIT_MS = 600;

interface Studio {
  world: MoneyWorld;
  owner: Payer;
  member: Payer;
  /** Acknowledged amounts. */
  spends: number[];
}

/** Also once accounts is back. */
async function got(person: Payer, path: string): Promise<Answer['body']> {
  let reply = await person.ask('GET', `/api/billing/${path}`);
  for (let tries = 0; reply.status === 503 && tries < 1_000; tries += 1) {
    await pause(50);
    reply = await person.ask('GET', `/api/billing/${path}`);
  }
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

async function spend({ spends }: Studio, person: Payer, amount: number): Promise<Answer> {
  const body = { amount, operation: 'ai_generate' };
  const reply = await person.insist('POST', '/api/billing/credits/consume', body);
  if (reply.status === 200) spends.push(reply.body.consumed);
  return reply;
}

const spent = ({ spends }: Studio): number => spends.reduce((sum, amount) => sum + amount, 0);

async function beginTrial(world: MoneyWorld, owner: Payer): Promise<void> {
  const { provider, line } = world;
  const before = await got(owner, 'status');
  assert.deepEqual([before.provider, before.subscription_status], ['ok', 'none']);
  const body = { plan: 'team', seats: SEATS, trial: true };
  const key = randomUUID();
  await line.down();
  const away = await owner.ask('POST', '/api/billing/checkout', { body, key });
  assert.equal(away.status, 503, away.text);
  assert.ok(Number(away.headers.get('retry-after')) > 0, away.text);
  await line.up();
  const page = await owner.ask('POST', '/api/billing/checkout', { body, key });
  assert.equal(page.status, 200, page.text);
  provider.completeCheckout(page.body.checkout_id);
  await world.delivery.idle();
  await planWithinFiveSeconds(owner, 'team');
  const { status, plan, seats } = await got(owner, 'subscription');
  assert.deepEqual([status, plan, seats], ['trialing', 'team', SEATS]);
  assert.equal((await got(owner, 'credits')).balance, MONTH);
}

async function invite({ ask }: MoneyWorld, owner: Payer, email: string): Promise<Answer> {
  const body = { email, role: 'editor' };
  const made = await owner.ask('POST', '/api/auth/create-invite', { body });
  assert.equal(made.status, 201, made.text);
  return ask('POST', '/api/auth/register-with-invite', {
    body: { token: made.body.token, password: PASSWORD },
  });
}

async function hearOfSpending(studio: Studio): Promise<void> {
  const { world, owner, member } = studio;
  const socket = await openTestSocket(`${world.cloud.url.replace('http', 'ws')}/api/ws`, {
    token: member.token(),
  });
  await socket.next('ready');
  for (const [person, amount] of [
    [owner, 30],
    [member, 20],
  ] as const) {
    assert.equal((await spend(studio, person, amount)).status, 200);
    const { amount: heard, remaining, operation } = await socket.next('brainbits_deducted');
    assert.deepEqual([heard, remaining, operation], [amount, MONTH - spent(studio), 'ai_generate']);
  }
  socket.peer.close();
}

/** Two people spend all the time, while one thing after the other is killed. */
async function spendThroughKills(studio: Studio): Promise<void> {
  const { world, owner, member } = studio;
  let going = true;
  const keepSpending = async (person: Payer) => {
    for (let count = 0; going || count < 10; count += 1) {
      const reply = await spend(studio, person, 3);
      assert.equal(reply.status, 200, reply.text);
      await pause(40);
    }
  };
  const work = Promise.all([owner, owner, member, member].map(keepSpending));
  for (const name of ['core-1', 'redis', 'accounts'] as const) {
    await pause(150);
    world.kill(name);
    const count = studio.spends.length;
    await until(() => studio.spends.length > count + 8);
  }
  going = false;
  await work;
  assert.equal((await got(owner, 'credits')).balance, MONTH - spent(studio));
}

async function runShort(studio: Studio): Promise<void> {
  const { owner, member } = studio;
  const left = MONTH - spent(studio);
  const refused = await spend(studio, member, left + 1);
  const { code, balance, needed, upgrade_url } = refused.body;
  assert.deepEqual(
    [refused.status, code, balance, needed, upgrade_url],
    [402, 'insufficient_credits', left, left + 1, '/api/billing/checkout'],
  );
  assert.equal((await spend(studio, owner, left)).status, 200);
  assert.equal((await got(member, 'credits')).balance, 0);
  assert.equal((await got(member, 'usage')).spent, MONTH);
}

/** The event of the payment arrives again and again: the provider is away, and then accounts is killed while it asks about it. */
async function buyBlock(studio: Studio): Promise<void> {
  const { world, owner, member } = studio;
  const { provider, delivery, line } = world;
  const page = await owner.insist('POST', '/api/billing/purchase-tokens', { block: `credits_${BLOCK}` });
  assert.equal(page.status, 200, page.text);
  await line.down();
  const sent = delivery.attempts.length;
  provider.completeCheckout(page.body.checkout_id);
  await until(() => delivery.attempts.slice(sent).some(({ status }) => status === 503));
  assert.equal((await got(member, 'credits')).balance, 0);
  line.freeze(true);
  await line.up();
  await pause(LONGEST_WAIT_MS);
  world.kill('accounts');
  line.freeze(false);
  await world.delivery.idle();
  const { purchases } = await got(owner, 'purchase-history');
  assert.deepEqual(
    purchases.map(({ checkout_id, credits, status }) => [checkout_id, credits, status]),
    [[page.body.checkout_id, BLOCK, 'booked']],
  );
  assert.equal((await spend(studio, member, 120)).status, 200);
  assert.deepEqual((await got(owner, 'credits')).sources, [
    { source: 'purchase', remaining: BLOCK - 120, expires_at: null },
  ]);
}

const codes = ({ notices }: Answer['body']): string[] => notices.map(({ code }) => code);

async function failToPay({ world, owner }: Studio): Promise<void> {
  const { provider } = world;
  provider.advance(12 * DAY_MS);
  await world.delivery.idle();
  assert.deepEqual(codes(await got(owner, 'status')).sort(), ['trial_ending', 'upcoming_invoice']);
  const [customer = ''] = provider.state.customers.keys();
  provider.setCard(customer, 'declines');
  provider.advance(2 * DAY_MS + 60_000);
  await world.delivery.idle();
  const status = await got(owner, 'status');
  assert.deepEqual([status.subscription_status, codes(status)], ['past_due', ['payment_failed']]);
  const subscription = await got(owner, 'subscription');
  assert.deepEqual([subscription.plan, subscription.status], ['team', 'past_due']);
  assert.ok(Date.parse(subscription.grace_ends_at ?? '') > Date.now() + 13 * DAY_MS);
  assert.equal(await owner.planInToken(), 'team');
  assert.equal((await got(owner, 'credits')).balance, BLOCK - 120, 'no month begins unpaid');
  const open = (await got(owner, 'invoices')).invoices.filter((invoice) => invoice.status === 'open');
  assert.deepEqual(
    open.map(({ amount_due }) => amount_due),
    [SEATS * 1900],
  );
  await until(() => world.mailsTo(owner.email).some(({ subject }) => /^A payment for/.test(subject)));
}

/** Accounts is killed while the events of the payment arrive and both spend. */
async function recover(studio: Studio): Promise<void> {
  const { world, owner, member } = studio;
  const { provider } = world;
  const [customer = ''] = provider.state.customers.keys();
  provider.setCard(customer, 'ok');
  const [open] = (await got(owner, 'invoices')).invoices.filter(({ status }) => status === 'open');
  assert.ok(provider.payOpenInvoice(open?.invoice_id ?? ''));
  const spending = [owner, member, owner, member].map((person) => spend(studio, person, 7));
  await pause(5);
  world.kill('accounts');
  assert.deepEqual(
    (await Promise.all(spending)).map(({ status }) => status),
    [200, 200, 200, 200],
  );
  await world.delivery.idle();
  const status = await got(owner, 'status');
  assert.deepEqual([status.subscription_status, codes(status)], ['active', []]);
  assert.equal((await got(owner, 'credits')).balance, 2 * MONTH + BLOCK - spent(studio));
}

async function downgrade(studio: Studio): Promise<void> {
  const { world, owner, member } = studio;
  // Each core that had no keys while accounts was away reads them now.
  await until(async () => {
    const asked = Array.from({ length: 8 }, () => member.ask('GET', '/api/entity/character'));
    return (await Promise.all(asked)).every(({ status }) => status === 200);
  });
  const made = await member.insist('POST', '/api/entity/character', { entity_id: 'orla', name: 'Orla' });
  assert.equal(made.status, 201, made.text);
  const changed = await owner.insist('PUT', '/api/billing/subscription', { plan: 'indie' });
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual(
    changed.body.over_limits.map(({ limit, used, allowed }) => [limit, used, allowed]),
    [['seats', 2, 1]],
  );
  await world.delivery.idle();
  const { plan, seats, next_period } = await got(owner, 'subscription');
  assert.deepEqual([plan, seats, next_period], ['team', SEATS, { plan: 'indie', seats: 1 }]);
  world.provider.advance(32 * DAY_MS);
  await world.delivery.idle();
  await planWithinFiveSeconds(owner, 'indie');
  const third = await invite(world, owner, 'third@example.com');
  assert.deepEqual([third.status, third.body.code], [422, 'seat_limit'], third.text);
  const edited = await member.ask('PUT', '/api/entity/character/orla', {
    body: { markdown_body: 'Still here.\n' },
  });
  assert.equal(edited.status, 200, edited.text);
  assert.match((await owner.ask('GET', '/api/entity/character/orla')).text, /Still here/);
  assert.equal(await member.planInToken(), 'indie');
  const zip = await fetch(`${world.cloud.url}/api/export/archive`, {
    headers: { authorization: `Bearer ${member.token()}` },
  });
  assert.equal(zip.status, 200);
  const files = await unzipped(Buffer.from(await zip.arrayBuffer()));
  assert.match(files['Characters/orla/CH_orla.md'] ?? Object.keys(files).join(), /Still here/);
}

/** Also after every event is sent twice more. */
async function assertBookedOnce(studio: Studio): Promise<void> {
  const { world, owner } = studio;
  const { provider, cloud, delivery } = world;
  const again = await provider.deliver(`${cloud.url}/api/billing/webhook`, {
    order: 'shuffled',
    twice: true,
    atOnce: 8,
  });
  assert.ok(again.every(({ status }) => status === 200));
  const { sources } = await got(owner, 'credits');
  const left = Object.fromEntries(sources.map(({ source, remaining }) => [source, remaining]));
  // Credits that were spent while the payment arrived came from the block or from the new month.
  const { purchase = 0 } = left;
  assert.deepEqual(left, { grant: INDIE_CREDITS, purchase });
  assert.ok(purchase === BLOCK - 120 || purchase >= BLOCK - 120 - 4 * 7, `${purchase}`);
  const history = await got(owner, 'usage-history?group_by=operation');
  assert.deepEqual(history.rows, [{ key: 'ai_generate', spent: spent(studio), count: studio.spends.length }]);
  assert.equal((await got(owner, 'purchase-history')).total, 1);
  const { invoices } = await got(owner, 'invoices');
  assert.deepEqual(
    invoices.map(({ invoice_id, status }) => [invoice_id, status]).sort(),
    [...provider.state.invoices.values()].map(({ id, status }) => [id, status]).sort(),
  );
  const events = await world.events();
  assert.deepEqual(events.map(({ event_id }) => event_id).sort(), provider.events.map(({ id }) => id).sort());
  assert.deepEqual(
    events
      .filter(({ outcome }) => outcome !== 'applied')
      .map(({ type, outcome, note }) => [type, outcome, note]),
    [],
  );
  const taken = delivery.attempts.filter(({ status }) => status === 200);
  assert.equal(new Set(taken.map(({ event }) => event.id)).size, taken.length);
  const doctor = await world.canonry('doctor', '--json');
  const { findings } = doctor.json<{ findings: { check: string }[] }>();
  assert.deepEqual(findings, []);
  const subjects = world.mailsTo(owner.email).map(({ subject }) => subject.replace(/ ends on .*/, ' ends'));
  assert.deepEqual(subjects, [
    'Your account of Canonry',
    'The trial of Studio ends',
    'A payment for Studio failed',
  ]);
}

async function studioJourney(world: MoneyWorld): Promise<void> {
  const owner = await world.register('owner@example.com', 'Studio');
  await beginTrial(world, owner);
  const joined = await invite(world, owner, 'mara@example.com');
  assert.equal(joined.status, 201, joined.text);
  const member = payer(world.ask, 'mara@example.com', joined.body);
  const studio: Studio = { world, owner, member, spends: [] };
  await hearOfSpending(studio);
  await spendThroughKills(studio);
  await runShort(studio);
  await buyBlock(studio);
  await failToPay(studio);
  await recover(studio);
  await downgrade(studio);
  await assertBookedOnce(studio);
}

const PEOPLE = 50;
const REDEEMING = 8;
const CODE = /((?:[0-9A-Z]{4}-){4}[0-9A-Z]{4})/;

const isCode = ({ text }: { text: string }): boolean => CODE.test(text);

async function joinWaitlist({ ask, mailsTo }: MoneyWorld, emails: readonly string[]): Promise<void> {
  await Promise.all(
    emails.map(async (email) => {
      const asked = await ask('POST', '/api/beta/waitlist', { body: { email } });
      assert.equal(asked.status, 200, asked.text);
    }),
  );
  const linkIn = (email: string) =>
    /https?:\/\/\S+(\/api\/beta\/waitlist\/\S+)/.exec(mailsTo(email)[0]?.text ?? '')?.[1];
  await until(() => emails.every((email) => linkIn(email) !== undefined));
  await Promise.all(
    emails.map(async (email) => {
      const confirmed = await ask('POST', linkIn(email) ?? '');
      assert.equal(confirmed.status, 200, confirmed.text);
    }),
  );
}

async function redeem(world: MoneyWorld, email: string, index: number): Promise<void> {
  const code = CODE.exec(world.mailsTo(email).find(isCode)?.text ?? '')?.[1];
  const person = await world.register(email);
  const redeemed = await person.ask('POST', '/api/beta/redeem', { body: { code } });
  assert.equal(redeemed.status, 200, redeemed.text);
  await planWithinFiveSeconds(person, 'team');
  const body = { category: 'idea', message: `From ${email}`, rating: (index % 5) + 1 };
  const sent = await person.ask('POST', '/api/beta/feedback', { body });
  assert.equal(sent.status, 201, sent.text);
  const credits = await got(person, 'credits');
  assert.deepEqual(credits.sources.map(({ source, remaining }) => [source, remaining]).sort(), [
    ['grant', TEAM_CREDITS],
    ['promotion', 100],
  ]);
}

async function betaRound(world: MoneyWorld, operator: Payer): Promise<void> {
  const emails = Array.from({ length: PEOPLE }, (_, index) => `person${index}@example.com`);
  await joinWaitlist(world, emails);
  const promote = () =>
    operator.ask('POST', '/api/beta/waitlist/promote', {
      body: { count: PEOPLE, cohort: 'first', days: 30, credits: 100 },
    });
  const promotions = await Promise.all([promote(), promote()]);
  for (const { status, text } of promotions) assert.equal(status, 200, text);
  const promoted = promotions.flatMap(({ body }) => body.promoted.map(({ email }) => email));
  assert.deepEqual(promoted.sort(), emails.toSorted());
  await until(() => emails.every((email) => world.mailsTo(email).some(isCode)));
  const redeeming = emails.slice(0, REDEEMING).entries();
  const inTurn = async () => {
    for (const [index, email] of redeeming) await redeem(world, email, index);
  };
  await Promise.all([inTurn(), inTurn()]);
  assert.deepEqual((await promote()).body.promoted, []);
  for (const email of emails) assert.equal(world.mailsTo(email).filter(isCode).length, 1, email);

  const feedback = await operator.ask('GET', '/api/beta/feedback');
  assert.deepEqual(
    feedback.body.feedback.map(({ message }) => message).sort(),
    emails.slice(0, REDEEMING).map((email) => `From ${email}`),
  );
  const stats = await operator.ask('GET', '/api/beta/stats');
  assert.deepEqual(stats.body, {
    cohorts: [
      {
        ...{ cohort: 'first', codes: PEOPLE, redeemed: REDEEMING, promoted: PEOPLE },
        ...{ active_7_days: REDEEMING, active_30_days: REDEEMING },
        feedback: { open: REDEEMING, reviewed: 0, planned: 0, resolved: 0, closed: 0 },
      },
    ],
    waitlist: { unconfirmed: 0, waiting: 0, promoted: PEOPLE },
  });
}

test('a studio pays for its plan and its credits, and fifty people come from the waitlist, whatever is killed', {
  timeout: 300_000,
}, async (t) => {
  const world = await startMoneyWorld(t);
  const operator = await world.register('operator@example.com', 'Operator');
  await studioJourney(world);
  await betaRound(world, operator);
});
