import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { after, before, describe, mock, test } from 'node:test';
import bcrypt from 'bcrypt';
import { PASSWORD, startAccounts, type TestAccounts } from './support/accounts.ts';
import { startPeople } from './support/people.ts';

interface Told {
  status: number;
  text: string;
  headers: string[];
  /** Hashes dominate the time: a difference would be measurable. */
  hashes: number;
}

type Send = (body: object) => Promise<{ status: number; text: string; headers: object }>;

async function told(send: Send, body: object): Promise<Told> {
  const calls = () => compare.mock.callCount() + hash.mock.callCount();
  const hashesBefore = calls();
  const { status, text, headers } = await send(body);
  return { status, text, headers: Object.keys(headers).sort(), hashes: calls() - hashesBefore };
}

const compare = mock.method(bcrypt, 'compare');
const hash = mock.method(bcrypt, 'hash');
after(() => mock.restoreAll());

/** It accepts connections and stays silent. */
async function startSilentMailServer() {
  const sockets = new Set<Socket>();
  const called = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    sockets.add(socket);
    called.resolve();
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    called: called.promise,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** The status and the number of hashes. */
const EXPECTED = {
  login: [401, 1],
  'web/login': [401, 1],
  register: [202, 1],
  'forgot-password': [200, 0],
  'resend-verification-public': [200, 0],
};

describe('the accounts service tells nobody who has an account', () => {
  let accounts: TestAccounts;
  let mailServer: Awaited<ReturnType<typeof startSilentMailServer>>;
  let addresses: Record<string, string>;
  before(async () => {
    mailServer = await startSilentMailServer();
    accounts = await startAccounts({ env: { SMTP_URL: mailServer.url } });
    const closed = await accounts.person('viewer');
    await accounts.users.update(closed.id, { isActive: false });
    const byProvider = { email: 'provider@example.com', password: null, tenantId: accounts.first.tenantId };
    await accounts.users.create(byProvider, () => ({ role: 'viewer', tenantRole: 'viewer' }));
    addresses = {
      known: accounts.first.email,
      closed: closed.email,
      'signs in by a provider': byProvider.email,
    };
    // The stand-in hash for unknown addresses is made once.
    await accounts.login('nobody@example.com');
  });
  after(async () => {
    mailServer.close();
    await accounts.close();
  });

  const sending =
    (path: string): Send =>
    (body) =>
      accounts.ask('POST', `/api/auth/${path}`, { body });

  for (const [path, rest] of [
    ['login', { password: 'a wrong pass phrase' }],
    ['web/login', { password: 'a wrong pass phrase' }],
    ['register', { password: PASSWORD }],
    ['forgot-password', {}],
    ['resend-verification-public', {}],
  ] as const) {
    test(`${path}: the same words, the same work, whatever the address`, async () => {
      const unknown = await told(sending(path), { email: 'nobody@example.com', ...rest });
      assert.deepEqual([unknown.status, unknown.hashes], EXPECTED[path]);
      for (const [who, email] of Object.entries(addresses)) {
        const known = await told(sending(path), { email, ...rest });
        assert.deepEqual({ ...known, text: known.text.replace(email, 'nobody@example.com') }, unknown, who);
      }
    });
  }

  test('the answer to who forgot a password does not wait for the mail', async () => {
    await mailServer.called;
    const { status, text } = await sending('forgot-password')({ email: accounts.first.email });
    assert.equal(status, 200, text);
  });

  test('tokens that are nobody’s are refused alike, before any costly work', async () => {
    for (const [path, body] of [
      ['reset-password', { new_password: PASSWORD }],
      ['register-with-invite', { password: PASSWORD }],
    ] as const) {
      const some = ['x', 'cnrp_unknown', 'cnri_unknown', accounts.first.token.slice(0, 200)];
      const answers: Told[] = [];
      for (const token of some) answers.push(await told(sending(path), { token, ...body }));
      for (const answer of answers) assert.deepEqual(answer, answers[0]);
      assert.deepEqual([answers[0]?.status, answers[0]?.hashes], [401, 0]);
    }
  });
});

test('the core tells nobody who has an account either', async () => {
  const core = await startPeople();
  after(() => core.close());
  const closed = await core.person('viewer');
  await core.users.update(closed.id, { isActive: false });
  await core.login('nobody@example.com');
  const login: Send = (body) => core.call('POST', '/api/auth/login', { token: null, body });
  const unknown = await told(login, { email: 'nobody@example.com', password: 'a wrong pass phrase' });
  assert.deepEqual([unknown.status, unknown.hashes], [401, 1]);
  for (const email of [core.cast.owner.email, closed.email, core.cast.owner.email.toUpperCase()])
    assert.deepEqual(await told(login, { email, password: 'a wrong pass phrase' }), unknown);
});
