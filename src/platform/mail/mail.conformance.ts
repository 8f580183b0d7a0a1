import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { MailError, type Mailer } from './mail.ts';

export interface TestMail {
  mailer: Mailer;
  /** Oldest first. */
  arrived(): Promise<string[]>;
}

const decoded = (message: string): string => {
  const body = message.replaceAll('\r\n', '\n').split('\n\n').slice(1).join('\n\n');
  if (/transfer-encoding: base64/i.test(message)) return Buffer.from(body, 'base64').toString('utf8');
  if (!/transfer-encoding: quoted-printable/i.test(message)) return body;
  const bytes = body.replaceAll('=\n', '').replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => `%${hex}`);
  return decodeURIComponent(bytes);
};

const headers = (message: string): string => message.replaceAll('\r\n', '\n').split('\n\n')[0] ?? '';

/** Tests for every mailer; `from` of the mailers is `Canonry <canonry@example.com>`. */
export function mailConformance(name: string, make: (t: TestContext) => Promise<TestMail>): void {
  describe(`mail: ${name}`, () => {
    it('sends a message with its sender, receiver, subject and text', async (t) => {
      const { mailer, arrived } = await make(t);
      await mailer.send({
        to: 'mara@example.com',
        subject: 'Hello',
        text: 'A link:\nhttps://a.example/?t=1',
      });
      const [message = ''] = await arrived();
      assert.match(headers(message), /^From: Canonry <canonry@example\.com>$/m);
      assert.match(headers(message), /^To: mara@example\.com$/m);
      assert.match(headers(message), /^Subject: Hello$/m);
      assert.match(headers(message), /^Message-ID: </im);
      assert.equal(decoded(message).trim(), 'A link:\nhttps://a.example/?t=1');
    });

    it('keeps text in any script, and lines as long as they are', async (t) => {
      const { mailer, arrived } = await make(t);
      const text = `Zwölf 龍 🐉 = ${'x'.repeat(2000)}`;
      await mailer.send({ to: 'mara@example.com', subject: 'Grüße 龍', text });
      const [message = ''] = await arrived();
      assert.equal(decoded(message).trim(), text);
      assert.ok(message.split('\n').every((line) => line.length <= 998));
      assert.match(headers(message), /^Subject: =\?UTF-8\?/m);
    });

    it('lets no subject become a header, and no address two', async (t) => {
      const { mailer, arrived } = await make(t);
      await mailer.send({ to: 'mara@example.com', subject: 'Hi\r\nBcc: eve@example.com', text: 'x' });
      const [message = ''] = await arrived();
      assert.doesNotMatch(headers(message), /^Bcc:/im);
      for (const to of [
        'a@example.com, b@example.com',
        'a@example.com\r\nBcc: eve@example.com',
        'Eve <eve@example.com>',
        '',
        'nobody',
      ]) {
        await assert.rejects(mailer.send({ to, subject: 'x', text: 'x' }), (error) => {
          assert.ok(error instanceof MailError);
          assert.equal(error.code, 'refused');
          return true;
        });
      }
      assert.equal((await arrived()).length, 1);
    });

    it('sends many at once, each once', async (t) => {
      const { mailer, arrived } = await make(t);
      const names = Array.from({ length: 20 }, (_, index) => `n${index}@example.com`);
      await Promise.all(names.map((to) => mailer.send({ to, subject: 'x', text: 'x' })));
      const receivers = (await arrived()).map((message) => /^To: (.+)$/m.exec(headers(message))?.[1]);
      assert.deepEqual(receivers.sort(), names.sort());
    });
  });
}
