import type { Letter } from '../../platform/mail/mail.ts';

export const verificationLetter = (to: string, link: string): Letter => ({
  to,
  subject: 'Is this your address? Canonry',
  text: `Somebody, probably you, gave this address for an account of Canonry.

If it was you, follow this link within three days:

${link}

If it was not you, do nothing.
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
