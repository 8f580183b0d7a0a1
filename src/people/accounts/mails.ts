import type { Mail } from '../../platform/mail/mail.ts';

export const verificationMail = (to: string, link: string): Mail => ({
  to,
  subject: 'Is this your address? Canonry',
  text: `Somebody, probably you, gave this address for an account of Canonry.

If it was you, open this page within three days and press its button:

${link}

If it was not you, do nothing and do not press the button: it would give the account to somebody else.
`,
});

export const registrationMail = (to: string, link: string): Mail => ({
  to,
  subject: 'Your account of Canonry',
  text: `Somebody, probably you, asked for an account of Canonry with this address.

If it was you, open this page within three days and press its button; then sign in with the password that you chose:

${link}

If it was not you, do nothing and do not press the button: there is no account yet, and somebody else chose its password.
`,
});

export const knownAddressMail = (to: string, address: string): Mail => ({
  to,
  subject: 'You already have a Canonry account',
  text: `Somebody, probably you, tried to register with this address, which already has an account. Nothing was changed.

If it was you, sign in here, or ask for a new password there:

${address}

If it was not you, do nothing.
`,
});

export const inviteMail = (to: string, tenantName: string, link: string): Mail => ({
  to,
  subject: `An invitation to ${tenantName}`,
  text: `You are invited to work on the world of ${tenantName} with Canonry.

This link makes your account. It is good once and for seven days:

${link}

If you do not know ${tenantName}, do nothing.
`,
});
