/** Plain text to one person. */
export interface Mail {
  /** One address, without a name. */
  to: string;
  subject: string;
  text: string;
}

/** Outgoing mail. Every method throws only `MailError`. */
export interface Mailer {
  /** Resolves when the mail server, or the disk, has accepted it. */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

/** `unavailable`: try again later. `refused`: this message or address will never be accepted. */
export class MailError extends Error {
  readonly code: 'unavailable' | 'refused';

  constructor(code: MailError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MailError';
    this.code = code;
  }
}

const ONE_ADDRESS = /^[^\s,;<>"()]+@[^\s,;<>"()@]+$/u;

/** Throws for an address that would reach more than one person, or nobody. */
export function checkAddress(address: string): void {
  if (!ONE_ADDRESS.test(address))
    throw new MailError('refused', 'The address of the message is not one address');
}
