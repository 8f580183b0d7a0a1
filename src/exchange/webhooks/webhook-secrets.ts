import { type Clock, isoTime } from '../../kit/clock.ts';
import type { SecretBox } from '../../kit/secret-box.ts';
import { makeSecret } from './signature.ts';
import type { WebhookRow } from './webhooks.tables.ts';

/** How long the old secret stays valid after a rotation. */
const BOTH_FOR_MS = 86_400_000;

const contextOf = (webhookId: string) => `webhooks ${webhookId} secret`;
const addressContextOf = (webhookId: string) => `webhooks ${webhookId} address`;

/** Databases from before addresses were sealed hold them in clear. */
const isInClear = ({ url }: Pick<WebhookRow, 'url'>): boolean => /^https?:/.test(url);

/** Secrets, shown only once, and addresses, which may contain secrets themselves. */
export const createWebhookSecrets = ({ box, clock }: { box: SecretBox; clock: Clock }) => ({
  make(webhookId: string): { secret: string; sealed: string } {
    const secret = makeSecret();
    return { secret, sealed: box.seal(secret, contextOf(webhookId)) };
  },
  /** Columns changed by a rotation; the present secret becomes the old one. */
  rotated: ({ secret }: WebhookRow, sealed: string): Partial<WebhookRow> => ({
    secret: sealed,
    old_secret: secret,
    old_secret_until: isoTime(clock.now() + BOTH_FOR_MS),
  }),
  /** Valid secrets, newest first. Throws if they were sealed under another key. */
  good({ webhook_id, secret, old_secret, old_secret_until }: WebhookRow): string[] {
    const isOldGood = old_secret_until !== null && old_secret_until > isoTime(clock.now());
    const sealed = old_secret !== null && isOldGood ? [secret, old_secret] : [secret];
    return sealed.map((each) => box.open(each, contextOf(webhook_id)));
  },
  sealAddress: (webhookId: string, url: string): string => box.seal(url, addressContextOf(webhookId)),
  /** Throws if it was sealed under another key. */
  addressOf: (row: Pick<WebhookRow, 'webhook_id' | 'url'>): string =>
    isInClear(row) ? row.url : box.open(row.url, addressContextOf(row.webhook_id)),
});

export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>;
