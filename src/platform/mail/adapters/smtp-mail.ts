import { checkAddress, type Mail, MailError, type Mailer } from '../mail.ts';

export interface SmtpOptions {
  /** `smtp://` or `smtps://`, with user and password if the server requires them. */
  url: string;
  /** With or without a name. */
  from: string;
  /** To connect and greet; each further step may take twice as long. */
  timeoutMs?: number;
}

/** Errors of the connection or of the server's state; every other error is about the message. */
const UNAVAILABLE = /^(?:ECONN|ETIMEDOUT|ESOCKET|EDNS|EAUTH|ETLS|EPROTOCOL|ENOTFOUND|EPIPE)/;

/** The library is loaded with the first message. */
export function createSmtpMailer({ url, from, timeoutMs = 5_000 }: SmtpOptions): Mailer {
  let opening: ReturnType<typeof open> | undefined;

  async function open() {
    const { default: nodemailer } = await import('nodemailer');
    return nodemailer.createTransport(
      {
        url,
        pool: true,
        maxConnections: 2,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: 2 * timeoutMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from },
    );
  }

  return {
    async send({ to, subject, text }: Mail) {
      checkAddress(to);
      opening ??= open();
      const transport = await opening;
      await transport.sendMail({ to: { name: '', address: to }, subject, text }).catch((error: unknown) => {
        throw mailError(error);
      });
    },
    async close() {
      (await opening)?.close();
    },
  };
}

function mailError(error: unknown): MailError {
  const { code = '', responseCode = 0 } = error as { code?: string; responseCode?: number };
  const comesBack = UNAVAILABLE.test(code) || (responseCode >= 400 && responseCode < 500);
  return comesBack
    ? new MailError('unavailable', 'The mail server does not take messages at the moment', { cause: error })
    : new MailError('refused', 'The mail server refused the message', { cause: error });
}
