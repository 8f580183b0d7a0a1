import { type Clock, isoTime } from '../../kit/clock.ts';
import type { SecretBox } from '../../kit/secret-box.ts';
import { makeSecret } from './signature.ts';
import type { WebhookRow } from './webhooks.tables.ts';

/** How long a receiver has to change to a new secret. */
const BOTH_FOR_MS = 86_400_000;

const contextOf = (webhookId: string) => `webhooks ${webhookId} secret`;
const addressContextOf = (webhookId: string) => `webhooks ${webhookId} address`;

/** A database that was written before addresses were sealed has them in clear. */
const isInClear = ({ url }: Pick<WebhookRow, 'url'>): boolean => /^https?:/.test(url);

/** The secrets of webhooks, which nobody reads after they were shown once, and their addresses, which may hold others. */
export const createWebhookSecrets = ({ box, clock }: { box: SecretBox; clock: Clock }) => ({
  make(webhookId: string): { secret: string; sealed: string } {
    const secret = makeSecret();
    return { secret, sealed: box.seal(secret, contextOf(webhookId)) };
  },
  /** What a rotation changes; the present secret becomes the old one. */
  rotated: ({ secret }: WebhookRow, sealed: string): Partial<WebhookRow> => ({
    secret: sealed,
    old_secret: secret,
    old_secret_until: isoTime(clock.now() + BOTH_FOR_MS),
  }),
  /** Those that sign now, the newest first. Throws where they were sealed under another key. */
  good({ webhook_id, secret, old_secret, old_secret_until }: WebhookRow): string[] {
    const isOldGood = old_secret_until !== null && old_secret_until > isoTime(clock.now());
    const sealed = old_secret !== null && isOldGood ? [secret, old_secret] : [secret];
    return sealed.map((each) => box.open(each, contextOf(webhook_id)));
  },
  sealAddress: (webhookId: string, url: string): string => box.seal(url, addressContextOf(webhookId)),
  /** Where to send to. Throws where it was sealed under another key. */
  addressOf: (row: Pick<WebhookRow, 'webhook_id' | 'url'>): string =>
    isInClear(row) ? row.url : box.open(row.url, addressContextOf(row.webhook_id)),
});

export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>;
