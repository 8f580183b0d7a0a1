import { dayOf, isoTime } from '../../kit/clock.ts';
import type { Mail } from '../../platform/mail/mail.ts';

export interface MailedCode {
  code: string;
  days: number;
  /** Milliseconds since the epoch; null if the code does not expire. */
  expiresAtMs: number | null;
  publicUrl: string;
}

const redeemAt = ({ code, days, expiresAtMs, publicUrl }: MailedCode): string =>
  `    ${code}

To use it, sign in (or register first) and enter it at ${publicUrl} under Plan. Programs send it to POST ${publicUrl}/api/beta/redeem.

Access lasts ${days} days from then on.${expiresAtMs === null ? '' : ` The code is good until ${dayOf(isoTime(expiresAtMs))}.`}`;

export const codeMail = (to: string, code: MailedCode): Mail => ({
  to,
  subject: 'Your code for the Canonry beta',
  text: `You are invited to the beta programme of Canonry. This is your code:

${redeemAt(code)}

If you do not know what this is about, do nothing.
`,
});

export const promotionMail = (to: string, code: MailedCode): Mail => ({
  to,
  subject: 'Your place in the Canonry beta',
  text: `Thank you for waiting: there is a place for you in the beta programme of Canonry. This is your code:

${redeemAt(code)}

If you did not ask for a place, do nothing.
`,
});

export interface MailedPlace {
  token: string;
  referralCode: string;
  /** The place, or the one after confirming; null for those who are no longer waiting. */
  position: number | null;
  publicUrl: string;
}

const linkTo = ({ publicUrl, token }: MailedPlace): string => `${publicUrl}/api/beta/waitlist/${token}`;

const howToMoveUp = ({ referralCode }: MailedPlace): string =>
  `You move up when others join with your referral code ${referralCode}: each address that is confirmed counts as if you had come a day earlier.`;

export const confirmationMail = (to: string, place: MailedPlace): Mail => ({
  to,
  subject: 'Please confirm: the waitlist for the Canonry beta',
  text: `Somebody, probably you, asked for a place in the beta programme of Canonry with this address.

If it was you, open this page within 30 days and press its button. You will then be number ${place.position} on the waitlist:

${linkTo(place)}

${howToMoveUp(place)}

If it was not you, do nothing, and the address will be forgotten.
`,
});

export const placeMail = (to: string, place: MailedPlace): Mail => ({
  to,
  subject: 'Your place on the waitlist for the Canonry beta',
  text: `You are on the waitlist for the beta programme of Canonry already: you are number ${place.position}. Here you can see your place at any time; links in earlier mails no longer work:

${linkTo(place)}

${howToMoveUp(place)}

If you did not ask for this mail, do nothing.
`,
});

export const alreadyPromotedMail = (to: string): Mail => ({
  to,
  subject: 'You already have a place in the Canonry beta',
  text: `Somebody, probably you, asked for a place in the beta programme of Canonry with this address, which already has one: a code was mailed to you. If it is lost, ask those who run the programme for another.

If it was not you, do nothing.
`,
});

export const answerMail = (to: string, feedback: { message: string; answer: string }): Mail => ({
  to,
  subject: 'An answer to your feedback about Canonry',
  text: `Thank you for your feedback. This is our answer:

${feedback.answer}

You wrote:

${feedback.message.replaceAll(/^/gm, '> ')}
`,
});
