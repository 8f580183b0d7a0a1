import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import {
  type AuthProcess,
  createTestClock,
  PASSWORD,
  startAuth,
  type TestClock,
} from '../../../test/support/auth.ts';
import { forEachDatabase, type OpenedDatabase } from '../../../test/support/databases.ts';
import { HttpError } from '../../kit/errors.ts';
import { silentLog } from '../../kit/log.ts';
import { createRateLimit } from '../../kit/rate-limit.ts';
import { createMemoryKeyValue } from '../../platform/kv/adapters/memory-kv.ts';
import { type Mail, MailError, type Mailer } from '../../platform/mail/mail.ts';
import { type CountAttempt, createAttempts } from './attempts.ts';
import { createPasswordResetMail, createPasswordResetRequests } from './password-reset-mail.ts';
import { createPasswordResets } from './password-resets.service.ts';

const NEW = 'another pass phrase';
const HOUR_MS = 3_600_000;
const EMAIL = 'mara@example.com';

/** Mail that a test reads; `next` waits for the next message. */
function createTestMailer() {
  const mails: Mail[] = [];
  const waiting: ((mail: Mail) => void)[] = [];
  let fails = false;
  const mailer: Mailer = {
    async send(mail) {
      if (fails) throw new MailError('unavailable', 'The mail server is down');
      mails.push(mail);
      waiting.shift()?.(mail);
    },
    async close() {},
  };
  return {
    mailer,
    mails,
    next: () => new Promise<Mail>((resolve) => waiting.push(resolve)),
    fail: () => {
      fails = true;
    },
  };
}

const tokenOf = ({ text }: Mail): string => /^cnrp_.+$/m.exec(text)?.[0] ?? '';

forEachDatabase((_name, open) => {
  let opened: OpenedDatabase;
  let clock: TestClock;
  let auth: AuthProcess;
  let mail: ReturnType<typeof createTestMailer>;
  let errors: string[];
  beforeEach(async () => {
    opened = await open();
    clock = createTestClock();
    auth = await startAuth({ database: opened.database, clock });
    mail = createTestMailer();
    errors = [];
  });
  afterEach(async () => {
    await auth.app.close();
    await opened.close();
  });

  const service = (countAttempt: CountAttempt = async () => {}) => {
    const { users } = auth;
    const resets = createPasswordResets({ database: opened.database, users, clock });
    const send = createPasswordResetMail({ resets, mailer: mail.mailer });
    const log = { ...silentLog, error: (message: string) => void errors.push(message) };
    return { ...resets, request: createPasswordResetRequests({ users, send, log, countAttempt }) };
  };
  const login = async (password: string) => (await auth.post('login', { email: EMAIL, password })).status;
  async function tokenByMail(): Promise<string> {
    const coming = mail.next();
    await service().request(` ${EMAIL.toUpperCase()}`);
    const received = await coming;
    assert.equal(received.to, EMAIL);
    return tokenOf(received);
  }
  const isRefused = (token: string) =>
    assert.rejects(service().reset(token, NEW), (error) => {
      assert.ok(error instanceof HttpError);
      assert.deepEqual([error.status, error.extras.code], [401, 'invalid_reset_token']);
      return true;
    });

  test('a token that came by mail sets a password once and ends all sessions', async () => {
    const { access_token } = await auth.register(EMAIL);
    const token = await tokenByMail();
    await service().reset(token, NEW);
    assert.deepEqual([await login(PASSWORD), await login(NEW)], [401, 200]);
    assert.equal((await auth.get('me', access_token)).status, 401);
    await isRefused(token);
  });

  test('a self-hosted core takes the token that its command line makes', async () => {
    const { user } = await auth.register(EMAIL);
    const found = await auth.users.findById(user.user_id);
    assert.ok(found);
    const { token } = await service().make(found);
    assert.equal((await auth.post('reset-password', { token, new_password: 'short' })).status, 422);
    assert.equal((await auth.post('reset-password', { token, new_password: NEW })).status, 200);
    assert.equal((await auth.post('reset-password', { token, new_password: NEW })).status, 401);
    assert.deepEqual([await login(PASSWORD), await login(NEW)], [401, 200]);
  });

  test('of 20 who use one token at once one succeeds', async () => {
    await auth.register(EMAIL);
    const token = await tokenByMail();
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => service().reset(token, `${NEW} ${index}`)),
    );
    const won = tries.findIndex(({ status }) => status === 'fulfilled');
    assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal(await login(`${NEW} ${won}`), 200);
  });

  test('a token ends after an hour, and with each change of password', async () => {
    const { user } = await auth.register(EMAIL);
    const late = await tokenByMail();
    clock.pass(HOUR_MS);
    await isRefused(late);
    const overtaken = await tokenByMail();
    await auth.users.setPassword(user.user_id, NEW);
    await isRefused(overtaken);
    await isRefused('cnrp_nothing');
  });

  test('a password that may not be chosen leaves the token good', async () => {
    await auth.register(EMAIL);
    const token = await tokenByMail();
    await assert.rejects(service().reset(token, 'short'), { status: 422 });
    await service().reset(token, NEW);
  });

  test('an unknown address and a closed account get no mail, and nobody learns of it', async () => {
    await auth.register(EMAIL);
    const { user } = await auth.register('ben@example.com');
    await auth.users.update(user.user_id, { isActive: false });
    for (const address of ['nobody@example.com', 'ben@example.com', 'not an address'])
      assert.equal(await service().request(address), undefined);
    await tokenByMail();
    assert.deepEqual(
      mail.mails.map(({ to }) => to),
      [EMAIL],
    );
  });

  test('mail that cannot be sent shows in the log alone', async () => {
    await auth.register(EMAIL);
    mail.fail();
    await service().request(EMAIL);
    while (errors.length === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.match(errors[0] ?? '', /was not sent/);
    assert.ok(!errors.join().includes('cnrp_') && !errors.join().includes(EMAIL));
  });

  test('asking is limited for each address, known or not', async () => {
    const keyValue = createMemoryKeyValue();
    const limits = { login: 3, anonymous: 0, user: 0 };
    const rateLimit = createRateLimit({ increment: keyValue.increment, limits, clock });
    const { count } = createAttempts({ rateLimit, keyValue });
    for (let index = 0; index < 3; index += 1) await service(count).request('nobody@example.com');
    await assert.rejects(service(count).request('Nobody@example.com'), { status: 429 });
  });
});
