import { randomBytes } from 'node:crypto';
import { type FileStore, FilesError } from '../../files/files.ts';
import { checkAddress, type Mail, MailError, type Mailer } from '../mail.ts';

export interface OutboxOptions {
  files: FileStore;
  from: string;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** The longest line of a message, in octets, that needs no encoding (RFC 5322 §2.1.1). */
const LONGEST_LINE = 998;

/**
 * Puts the unencoded text into the message. The library breaks lines of more than 76 characters and writes `=3D` for `=`,
 * so nobody could open a link from the file.
 */
function withPlainText(message: Buffer, text: string): Buffer {
  const lines = text.split(/\r?\n/);
  const end = message.indexOf('\n\n');
  if (end < 0 || lines.some((line) => Buffer.byteLength(line) > LONGEST_LINE)) return message;
  const head = message
    .subarray(0, end)
    .toString('utf8')
    .replace(/^Content-Transfer-Encoding: .*$/im, 'Content-Transfer-Encoding: 8bit');
  return Buffer.from(`${head}\n\n${lines.join('\n').trimEnd()}\n`);
}

/** Writes mail into a folder, one `.eml` file per message: for machines without a mail server. */
export function createOutboxMailer({ files, from, now }: OutboxOptions): Mailer {
  let count = 0;

  async function write({ to, subject, text }: Mail): Promise<void> {
    const { default: nodemailer } = await import('nodemailer');
    const transport = nodemailer.createTransport(
      { streamTransport: true, buffer: true, newline: 'unix' },
      { from },
    );
    const { message } = await transport.sendMail({ to: { name: '', address: to }, subject, text });
    const time = new Date(now()).toISOString().replaceAll(/[:.]/g, '-');
    count += 1;
    // The random part keeps two simultaneous writers from choosing the same name.
    const name = `${time}-${process.pid}-${count}-${randomBytes(4).toString('hex')}.eml`;
    await files.write(name, withPlainText(message as Buffer, text), { ifAbsent: true });
  }

  return {
    async send(mail) {
      checkAddress(mail.to);
      await write(mail).catch((error: unknown) => {
        if (!(error instanceof FilesError)) throw error;
        throw new MailError('unavailable', 'The message could not be written to the outbox', {
          cause: error,
        });
      });
    },
    async close() {},
  };
}
