import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { createLocalFiles } from '../../files/adapters/local-files.ts';
import { mailConformance } from '../mail.conformance.ts';
import { MailError } from '../mail.ts';
import { createOutboxMailer } from './outbox-mail.ts';
import { createSmtpMailer } from './smtp-mail.ts';

const FROM = 'Canonry <canonry@example.com>';

interface MailServer {
  url: string;
  messages: string[];
  close(): Promise<void>;
}

async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const messages: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        messages.push(Buffer.concat(chunks).toString('utf8'));
        done();
      });
    },
    ...options,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `smtp://127.0.0.1:${port}`, messages, close };
}

const smtp = (url: string) => createSmtpMailer({ url, from: FROM, timeoutMs: 500 });
const LETTER = { to: 'mara@example.com', subject: 'x', text: 'x' };

const failsAs = (code: MailError['code']) => (error: unknown) => {
  assert.ok(error instanceof MailError, String(error));
  assert.equal(error.code, code);
  return true;
};

mailConformance('smtp', async (t) => {
  const server = await startMailServer();
  const mailer = smtp(server.url);
  t.after(async () => {
    await mailer.close();
    await server.close();
  });
  return { mailer, arrived: async () => server.messages };
});

function outboxOf(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'outbox-'));
  t.after(() => rmSync(folder, { recursive: true }));
  let time = Date.UTC(2026, 2, 4);
  const mailer = createOutboxMailer({
    files: createLocalFiles({ root: folder }),
    from: FROM,
    now: () => time++,
  });
  const arrived = async () =>
    readdirSync(folder)
      .sort()
      .map((name) => readFileSync(join(folder, name), 'utf8'));
  return { mailer, arrived };
}

mailConformance('outbox', async (t) => outboxOf(t));

test('a message in the outbox shows its link whole, to be opened from there', async (t) => {
  const { mailer, arrived } = outboxOf(t);
  const link = `https://canonry.example.com/verify?token=${'a1B2'.repeat(30)}&next=/studio/`;
  await mailer.send({ ...LETTER, text: `Grüße,\r\n\r\n${link}\r\n` });
  const [message = ''] = await arrived();
  assert.match(message, /^Content-Transfer-Encoding: 8bit$/m);
  assert.equal(message.slice(message.indexOf('\n\n') + 2), `Grüße,\n\n${link}\n`);
});

test('a user and password are sent to a server that asks for them', async () => {
  const seen: unknown[] = [];
  const server = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      seen.push([username, password]);
      done(null, { user: username });
    },
  });
  const mailer = smtp(server.url.replace('smtp://', 'smtp://us%40er:p%40ss@'));
  await mailer.send(LETTER);
  assert.deepEqual(seen, [['us@er', 'p@ss']]);
  await mailer.close();
  await server.close();
});

test('a receiver whom the server does not take is refused, and the next one is served', async () => {
  const server = await startMailServer({
    onRcptTo({ address }, _session, done) {
      if (!address.startsWith('gone')) return done();
      done(Object.assign(new Error('No such user here'), { responseCode: 550 }));
    },
  });
  const mailer = smtp(server.url);
  await assert.rejects(mailer.send({ ...LETTER, to: 'gone@example.com' }), failsAs('refused'));
  await mailer.send(LETTER);
  assert.equal(server.messages.length, 1);
  await mailer.close();
  await server.close();
});

test('a server that is down, or says later, is unavailable, and is tried again', async () => {
  let isBusy = true;
  const server = await startMailServer({
    onMailFrom(_address, _session, done) {
      if (!isBusy) return done();
      done(Object.assign(new Error('Try later'), { responseCode: 451 }));
    },
  });
  const mailer = smtp(server.url);
  await assert.rejects(mailer.send(LETTER), failsAs('unavailable'));
  isBusy = false;
  await mailer.send(LETTER);
  await mailer.close();
  await server.close();
  const late = smtp(server.url);
  await assert.rejects(late.send(LETTER), failsAs('unavailable'));
  await late.close();
});

test('a server that says nothing is given up', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const mailer = smtp(`smtp://127.0.0.1:${port}`);
  const started = performance.now();
  await assert.rejects(mailer.send(LETTER), failsAs('unavailable'));
  assert.ok(performance.now() - started < 20_000);
  await mailer.close();
  silent.close();
});

test('an outbox that is not there is unavailable', async () => {
  const files = createLocalFiles({ root: join(tmpdir(), 'no-such-outbox') });
  const mailer = createOutboxMailer({ files, from: FROM, now: Date.now });
  await assert.rejects(mailer.send(LETTER), failsAs('unavailable'));
});
