/** A message to one person, as plain text. */
export interface Letter {
  /** One address, without a name. */
  to: string;
  subject: string;
  text: string;
}

/** Outgoing mail. Every method throws `MailError` alone. */
export interface Mailer {
  /** Resolves when the message was taken over: by the mail server, or by the disk. */
  send(letter: Letter): Promise<void>;
  close(): Promise<void>;
}

/** `unavailable`: worth another try later. `refused`: this message, or this address, will not do. */
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
