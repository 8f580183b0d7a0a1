import { isoDate } from '../../kit/clock.ts';
import type { Mail } from '../../platform/mail/mail.ts';

export type MailTo = (to: string) => Mail;

const FREE = 'Nothing is deleted or locked: everybody can go on reading, editing and exporting. Only new';

export const trialEndingMail =
  (tenant: string, endMs: number, page: string): MailTo =>
  (to) => ({
    to,
    subject: `The trial of ${tenant} ends on ${isoDate(endMs)}`,
    text: `The trial of ${tenant} ends on ${isoDate(endMs)}. The subscription goes on from then, and the first payment is taken.

To change or cancel it before that day, open

${page}
`,
  });

export const paymentFailedMail =
  (tenant: string, graceEndMs: number, page: string): MailTo =>
  (to) => ({
    to,
    subject: `A payment for ${tenant} failed`,
    text: `The last payment for ${tenant} failed. Its plan stays until ${isoDate(graceEndMs)}. Please pay, or use another card, before then:

${page}
`,
  });

export const graceOverMail =
  (tenant: string, page: string): MailTo =>
  (to) => ({
    to,
    subject: `${tenant} is on the free plan until its payment arrives`,
    text: `A payment for ${tenant} has been missing for 14 days, so the limits of the free plan count now. ${FREE} things have to wait.

The plan is back as soon as the payment arrives:

${page}
`,
  });

export const secondSubscriptionMail =
  (tenant: string, isEnded: boolean, page: string): MailTo =>
  (to) => ({
    to,
    subject: `${tenant} was subscribed twice`,
    text: `${tenant} had a subscription already when a second one began. The first one stays. ${
      isEnded
        ? 'The second one is being ended and gives nothing.'
        : 'Please cancel the second one, which gives nothing.'
    } If it was charged, ask those who run the service for a refund.

${page}
`,
  });
