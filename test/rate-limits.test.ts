import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { startAccounts } from './support/accounts.ts';
import { type CoreSetup, startCore, type TestCore } from './support/core.ts';
import { startRedisRelay } from './support/redis-relay.ts';

const PASSWORD = 'correct horse battery';
const LIMIT = 5;
/** Each start registers somebody from the same address. */
const ANONYMOUS_LIMIT = 40;
const LIMITS = {
  RATE_LIMIT_LOGIN: `${LIMIT}`,
  RATE_LIMIT_ANONYMOUS: `${ANONYMOUS_LIMIT}`,
  RATE_LIMIT_USER: `${LIMIT}`,
};

/** Redis is shared with other tests, so each address is new. */
const newAddress = (): string =>
  `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`;
const newEmail = (): string => `${randomBytes(6).toString('hex')}@example.com`;

async function startLimited(t: TestContext, env: CoreSetup['env'] = {}): Promise<TestCore> {
  const core = await startCore({ env: { ...LIMITS, ...env } });
  t.after(() => core.close());
  return core;
}

interface Try {
  email?: string;
  password?: string;
  /** The socket's peer. */
  from?: string;
  forwardedFor?: string;
}

const signIn = (
  { app }: Pick<TestCore, 'app'>,
  { email = newEmail(), password = PASSWORD, from, forwardedFor }: Try,
) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/login',
    remoteAddress: from ?? newAddress(),
    headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
    payload: { email, password },
  });

const statusOf = async (core: Pick<TestCore, 'app'>, how: Try): Promise<number> =>
  (await signIn(core, how)).statusCode;

async function statusesOf(core: Pick<TestCore, 'app'>, tries: readonly Try[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const each of tries) statuses.push(await statusOf(core, each));
  return statuses;
}

const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

const withRedis = { skip: process.env.CANONRY_TEST_REDIS === 'off' ? 'CANONRY_TEST_REDIS is off' : false };

test('two processes on one Redis share every limit, and say when to come back', withRedis, async (t) => {
  const { url: REDIS_URL } = await startRedisRelay(t);
  const both = [await startLimited(t, { REDIS_URL }), await startLimited(t, { REDIS_URL })] as const;
  const from = newAddress();
  for (let index = 0; index < LIMIT; index += 1)
    assert.equal(await statusOf(both[index % 2 === 0 ? 0 : 1], { from }), 401);
  for (const core of both) {
    const { statusCode, headers, body } = await signIn(core, { from });
    assert.equal(statusCode, 429, body);
    assert.match(String(headers['retry-after']), /^([1-9]|[1-5]\d|60)$/);
    const shown = ['limit', 'remaining', 'reset'].map((name) => headers[`ratelimit-${name}`]);
    assert.deepEqual(shown, [`${LIMIT}`, '0', headers['retry-after']]);
  }
});

test(
  'a limit holds for each user and each stranger who writes, however many processes there are',
  withRedis,
  async (t) => {
    const { url: REDIS_URL } = await startRedisRelay(t);
    const core = await startLimited(t, { REDIS_URL });
    const asUser = await Promise.all(times(3 * LIMIT, () => core.call('GET', '/api/auth/me')));
    assert.equal(asUser.filter(({ status }) => status === 200).length, LIMIT);
    assert.equal(asUser.filter(({ status }) => status === 429).length, 2 * LIMIT);
    const from = newAddress();
    const refresh = () =>
      core.app.inject({
        method: 'POST',
        url: '/api/auth/refresh',
        remoteAddress: from,
        payload: { refresh_token: 'x' },
      });
    const asStranger = await Promise.all(times(2 * ANONYMOUS_LIMIT, refresh));
    assert.equal(asStranger.filter(({ statusCode }) => statusCode === 401).length, ANONYMOUS_LIMIT);
  },
);

test(
  'while Redis is away limits hold in each process; nobody is let in uncounted, and nobody kept out',
  withRedis,
  async (t) => {
    const relay = await startRedisRelay(t);
    const core = await startLimited(t, { REDIS_URL: relay.url });
    const from = newAddress();
    assert.deepEqual(
      await statusesOf(
        core,
        times(2, () => ({ from })),
      ),
      [401, 401],
    );
    await relay.down();
    assert.deepEqual(
      await statusesOf(
        core,
        times(LIMIT - 1, () => ({ from })),
      ),
      [401, 401, 401, 429],
    );
    const elsewhere = newAddress();
    const statuses = await statusesOf(
      core,
      times(LIMIT + 1, () => ({ from: elsewhere })),
    );
    assert.deepEqual(statuses, [...Array(LIMIT).fill(401), 429]);
    const { email, password } = { email: 'admin@example.com', password: PASSWORD };
    assert.equal(await statusOf(core, { email, password }), 200);
  },
);

test('forwarded addresses of a peer that is no trusted proxy count for nothing', async (t) => {
  const core = await startLimited(t, { TRUSTED_PROXIES: '198.51.100.7' });
  const forged = times(LIMIT + 1, () => ({ from: '203.0.113.5', forwardedFor: newAddress() }));
  assert.deepEqual(await statusesOf(core, forged), [...Array(LIMIT).fill(401), 429]);
});

test('behind a trusted proxy the address that it saw counts, whatever the client wrote before it', async (t) => {
  const proxies = ['198.51.100.7', '198.51.100.8'];
  const core = await startLimited(t, { TRUSTED_PROXIES: proxies.join(',') });
  const through = (client: string): Try => ({
    from: '198.51.100.7',
    forwardedFor: `${newAddress()}, 127.0.0.1, ${client}, 198.51.100.8`,
  });
  const forged = times(LIMIT + 1, () => through('203.0.113.5'));
  assert.deepEqual(await statusesOf(core, forged), [...Array(LIMIT).fill(401), 429]);
  assert.equal(await statusOf(core, through('203.0.113.6')), 401);
  assert.equal(await statusOf(core, { from: '198.51.100.7', forwardedFor: 'not an address' }), 401);
});

test('strangers who try passwords do not lock anybody out of their account', async (t) => {
  const core = await startLimited(t);
  const [email, home] = ['admin@example.com', newAddress()];
  assert.equal(await statusOf(core, { email, from: home }), 200);
  const attack = () =>
    statusesOf(
      core,
      times(2 * LIMIT, () => ({ email, password: 'a wrong pass phrase' })),
    );
  const tried = await attack();
  assert.equal(
    tried.filter((status) => status === 401).length,
    LIMIT - 1,
    'together, the first sign-in included',
  );
  assert.equal(await statusOf(core, { email, from: newAddress() }), 429, 'a stranger, for all we know');
  assert.equal(await statusOf(core, { email, from: home }), 200);
  const guesses = times(LIMIT, () => ({ email, from: home, password: 'a wrong pass phrase' }));
  assert.equal((await statusesOf(core, guesses)).at(-1), 429, 'where one is at home tries are counted too');
});

test('under attack a new password by mail lets its owner in, at an address that nobody knew', async (t) => {
  const accounts = await startAccounts({ env: { RATE_LIMIT_LOGIN: `${LIMIT}` } });
  t.after(() => accounts.close());
  const { email } = accounts.first;
  const from = newAddress();
  const post = (path: string, payload: object, remoteAddress: string) =>
    accounts.app.inject({ method: 'POST', url: `/api/auth/${path}`, remoteAddress, payload });
  const attack = times(2 * LIMIT, () => ({ email, password: 'a wrong pass phrase' }));
  assert.equal((await statusesOf(accounts, attack)).at(-1), 429);
  assert.equal(
    (await post('forgot-password', { email }, from)).statusCode,
    200,
    'asking has tries of its own',
  );
  const token = /cnrp_[\w-]+/.exec(await accounts.mailTo(email, 2))?.[0];
  const password = 'another long pass phrase';
  assert.equal((await post('reset-password', { token, new_password: password }, from)).statusCode, 200);
  assert.equal(await statusOf(accounts, { email, password, from }), 200);
});
