import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { cliWorld } from './support/cli.ts';
import { startServiceProcess } from './support/service-process.ts';

const secretText = (): string => randomBytes(24).toString('base64url');

/** With a value to search for. */
const settings = {
  JWT_SECRET: secretText(),
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  SERVICE_TOKEN: secretText(),
  OAUTH_GOOGLE_CLIENT_ID: 'canonry',
  OAUTH_GOOGLE_CLIENT_SECRET: secretText(),
  // Nothing answers there, so that failures are logged too.
  SMTP_URL: `smtp://mailer:${secretText()}@127.0.0.1:9`,
};
const configured = Object.entries(settings)
  .filter(([name]) => name !== 'OAUTH_GOOGLE_CLIENT_ID')
  .map(([, value]) => /:([^:@]+)@/.exec(value)?.[1] ?? value);

interface Exchange {
  sent: string;
  reply: string;
}

/** At the finest log level, with a record of all messages. */
async function startTalking(t: TestContext, options: string[]) {
  const dataDir = mkdtempSync(join(tmpdir(), 'canonry-secrets-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const env = { ...settings, DATA_DIR: dataDir, LOG_LEVEL: 'debug', REGISTRATION: 'open' };
  const service = await startServiceProcess(env, options);
  t.after(() => service.end('SIGKILL'));
  const exchanges: Exchange[] = [];

  async function say(
    method: string,
    path: string,
    { token = '', body }: { token?: string; body?: unknown } = {},
  ) {
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(service.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: sent }),
    });
    const reply = `${JSON.stringify([...response.headers])}${await response.text()}`;
    exchanges.push({ sent: `${path} ${token} ${sent}`, reply });
    const json = /\{.*\}$/s.exec(reply)?.[0] ?? '{}';
    return { status: response.status, body: JSON.parse(json) as Record<string, string> };
  }

  /** The log files and output after the service has ended. */
  async function written(): Promise<string> {
    assert.equal(await service.end('SIGTERM'), 0);
    const folder = join(dataDir, 'logs');
    return [
      service.output(),
      ...readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')),
    ].join('\n');
  }
  return { say, exchanges, written };
}

const hides = (text: string, secrets: readonly string[], where: string): void => {
  for (const [index, secret] of secrets.entries()) {
    assert.ok(secret.length >= 16, `secret ${index} is too short to be searched for`);
    assert.ok(
      !text.includes(secret),
      `${where}: secret ${index}: ${text.slice(Math.max(0, text.indexOf(secret) - 200))}`,
    );
  }
};

/** Replies repeat no secret of the caller or the settings, and no password hash appears anywhere. */
function checkReplies(exchanges: readonly Exchange[], passwords: readonly string[]): void {
  for (const { sent, reply } of exchanges) {
    hides(reply, [...configured, ...passwords], sent);
    assert.doesNotMatch(reply, /\$2[aby]\$/, sent);
  }
}

test('the core writes no secret to its log, and no reply repeats one', async (t) => {
  const { say, exchanges, written } = await startTalking(t, []);
  const [password, other, wrong] = [secretText(), secretText(), secretText()];
  const email = 'mara@example.com';
  const first = (await say('POST', '/api/auth/register', { body: { email, password } })).body;
  const token = first.access_token ?? '';
  await say('POST', '/api/auth/login', { body: { email, password: wrong } });
  await say('POST', '/api/auth/login', { body: `{"email":"${email}","password":"${wrong}"` });
  await say('POST', '/api/auth/login', { body: { email: 1, password: wrong } });
  await say('POST', `/api/auth/login?password=${wrong}`, { body: { email, password: [wrong] } });
  const refreshed = (await say('POST', '/api/auth/refresh', { body: { refresh_token: first.refresh_token } }))
    .body;
  const made = (await say('POST', '/api/api-keys', { token, body: { name: 'a program', scopes: ['admin'] } }))
    .body;
  const key = made.key ?? '';
  assert.equal((await say('GET', '/api/users', { token: key })).status, 200);
  await say('GET', `/api/users?token=${key}`, { token: `${key}x` });
  const invite = (
    await say('POST', '/api/invites', { token, body: { email: 'ben@example.com', role: 'editor' } })
  ).body;
  await say('POST', '/api/auth/accept-invite', { body: { token: `${invite.token}x`, password: other } });
  const joined = await say('POST', '/api/auth/accept-invite', {
    body: { token: invite.token, password: other },
  });
  assert.ok(joined.status < 300);
  const me = (await say('GET', '/api/auth/me', { token })).body.user_id;
  const change = { current_password: password, new_password: other };
  assert.equal((await say('PUT', `/api/users/${me}/password`, { token, body: change })).status, 200);
  const logs = await say('GET', '/api/services/logs/backend-api?lines=5000', { token });
  assert.equal(logs.status, 200);
  const passwords = [password, other, wrong];
  checkReplies(exchanges, passwords);
  const issued = [
    token,
    first.refresh_token,
    refreshed.access_token,
    refreshed.refresh_token,
    key,
    invite.token,
  ];
  const all = [...configured, ...passwords, ...issued.map((each) => each ?? '')];
  hides(JSON.stringify(logs.body), all, 'the log by the API');
  const text = await written();
  assert.match(text, /POST \/api\/auth\/login 401/);
  hides(text, all, 'the log');
});

test('the accounts service does neither, with tokens in addresses and mail that cannot be sent', async (t) => {
  const { say, exchanges, written } = await startTalking(t, ['--surface', 'accounts']);
  const [password, wrong] = [secretText(), secretText()];
  const email = 'mara@example.com';
  const owner = (await say('POST', '/api/auth/register', { body: { email, password } })).body;
  const token = owner.access_token ?? '';
  await say('POST', '/api/auth/web/login', { body: { email, password: wrong } });
  const invited = { email: 'ben@example.com', role: 'editor' };
  const link = (await say('POST', '/api/auth/create-invite', { token, body: invited })).body.token ?? '';
  assert.equal((await say('GET', `/api/auth/validate-invite/${link}`)).status, 200);
  await say('POST', '/api/auth/invite', { token, body: invited });
  await say('POST', '/api/auth/resend-verification', { token });
  await say('POST', '/api/auth/forgot-password', { body: { email } });
  const inAddress = [secretText(), secretText(), secretText()];
  await say('GET', `/api/auth/verify?token=${inAddress[0]}`);
  await say('POST', `/api/auth/verify?token=${inAddress[0]}`);
  await say('GET', `/api/auth/oauth/google/callback?code=${inAddress[1]}&state=${inAddress[2]}`);
  await say('POST', '/api/auth/reset-password', { body: { token: secretText(), new_password: wrong } });
  await say('GET', '/api/auth/storage-oauth/status', { token });
  await say('POST', '/internal/storage-oauth/google/exchange', { token: settings.SERVICE_TOKEN, body: {} });
  const rotated = (await say('POST', '/api/auth/refresh', { body: { refresh_token: owner.refresh_token } }))
    .body;
  const passwords = [password, wrong];
  checkReplies(exchanges, passwords);
  const issued = [token, owner.refresh_token ?? '', rotated.access_token ?? '', link, ...inAddress];
  const text = await written();
  assert.match(text, /GET \/api\/auth\/verify 401/);
  hides(text, [...configured, ...passwords, ...issued], 'the log');
});

test('the configuration is printed without its secrets', async (t) => {
  const world = cliWorld(t);
  for (const args of [['config'], ['config', '--json']]) {
    const { code, out, err } = await world.runWith({ env: settings }, ...args);
    assert.equal(code, 0, err);
    assert.match(out, /JWT_SECRET/);
    hides(out + err, configured, args.join(' '));
  }
});
