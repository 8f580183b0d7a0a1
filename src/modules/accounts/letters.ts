import type { Letter } from '../../platform/mail/mail.ts';

export const verificationLetter = (to: string, link: string): Letter => ({
  to,
  subject: 'Is this your address? Canonry',
  text: `Somebody, probably you, gave this address for an account of Canonry.

If it was you, open this page within three days and press its button:

${link}

If it was not you, do nothing, and do not press it: it would give the account to somebody else.
`,
});

export const inviteLetter = (to: string, tenantName: string, link: string): Letter => ({
  to,
  subject: `An invitation to ${tenantName}`,
  text: `You are invited to work on the world of ${tenantName} with Canonry.

This link makes your account. It is good once and for seven days:

${link}

If you do not know ${tenantName}, do nothing.
`,
});
