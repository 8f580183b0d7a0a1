import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict, notFound } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { logEnd, type Project } from '../../world/records/index.ts';
import type { CheckAddress } from './address.ts';
import { setDue } from './deliveries.store.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';
import { USUAL_EVENTS, type WebhookInput } from './webhooks.contract.ts';
import {
  changeWebhook,
  findWebhook,
  insertWebhook,
  listWebhookRows,
  lockWebhook,
  removeWebhook,
} from './webhooks.store.ts';
import type { WebhookRow, WebhooksDb } from './webhooks.tables.ts';

export interface WebhooksOptions {
  secrets: WebhookSecrets;
  checkAddress: CheckAddress;
  clock: Clock;
}

type WebhookSettings = Omit<WebhookInput, 'url'>;

const MOST_WEBHOOKS = 20;

const noSuchWebhook = () => notFound('There is no such webhook in this project', { code: 'no_such_webhook' });

export function createWebhooks({ secrets, checkAddress, clock }: WebhooksOptions) {
  async function get(project: Project, webhookId: string): Promise<WebhookRow> {
    const row = await project.database.read((db: WebhooksDb) => findWebhook(db, project, webhookId));
    if (row === undefined) throw noSuchWebhook();
    return row;
  }

  /** Changes a row and what belongs to it in one transaction. */
  async function change(
    project: Project,
    webhookId: string,
    changed: (row: WebhookRow) => Partial<WebhookRow>,
  ): Promise<WebhookRow> {
    await get(project, webhookId);
    return project.database.write(async (db: WebhooksDb) => {
      const row = await lockWebhook(db, project.database, webhookId);
      if (row === undefined) throw noSuchWebhook();
      const next = { ...row, ...changed(row), updated_at: isoTime(clock.now()) };
      await changeWebhook(db, row, next);
      if (next.enabled !== row.enabled) await setDue(db, row, next.enabled ? clock.now() : null);
      return next;
    });
  }

  return {
    get,
    list: (project: Project) => project.database.read((db: WebhooksDb) => listWebhookRows(db, project)),

    /** A webhook for everything from now on, and its secret. */
    async create(
      project: Project,
      { url, ...input }: WebhookInput & { url: string },
      actor: string,
    ): Promise<{ webhook: WebhookRow; secret: string }> {
      await checkAddress(url);
      const at = isoTime(clock.now());
      const webhookId = newId();
      const { secret, sealed } = secrets.make(webhookId);
      const webhook = await project.database.exclusive(`webhooks ${project.projectId}`, () =>
        project.database.write(async (db: WebhooksDb) => {
          if ((await listWebhookRows(db, project)).length >= MOST_WEBHOOKS) throw tooMany();
          const { seq } = await logEnd(db, project);
          const row: WebhookRow = {
            webhook_id: webhookId,
            tenant_id: project.tenantId,
            project_id: project.projectId,
            url: secrets.sealAddress(webhookId, url),
            description: null,
            events: JSON.stringify(USUAL_EVENTS),
            entity_types: null,
            enabled: 1,
            disabled_reason: null,
            secret: sealed,
            old_secret: null,
            old_secret_until: null,
            seq,
            failures: 0,
            rests_until: 0,
            slow: 0,
            last_success_at: null,
            created_at: at,
            created_by: actor,
            updated_at: at,
            ...columnsOf(input),
          };
          await insertWebhook(db, row);
          return row;
        }),
      );
      return { webhook, secret };
    },

    async update(project: Project, webhookId: string, input: WebhookInput): Promise<WebhookRow> {
      await get(project, webhookId);
      const { url, ...rest } = input;
      if (url !== undefined) await checkAddress(url);
      const address = url === undefined ? {} : { url: secrets.sealAddress(webhookId, url) };
      return change(project, webhookId, () => ({ ...address, ...columnsOf(rest) }));
    },

    /** The previous secret stays valid for a day. */
    async rotate(project: Project, webhookId: string): Promise<{ webhook: WebhookRow; secret: string }> {
      const { secret, sealed } = secrets.make(webhookId);
      const webhook = await change(project, webhookId, (row) => secrets.rotated(row, sealed));
      return { webhook, secret };
    },

    async remove(project: Project, webhookId: string): Promise<void> {
      const row = await get(project, webhookId);
      await project.database.write(async (db: WebhooksDb) => {
        await lockWebhook(db, project.database, webhookId);
        await removeWebhook(db, row);
      });
    },
  };
}

export type Webhooks = ReturnType<typeof createWebhooks>;

const tooMany = () =>
  conflict(`A project has at most ${MOST_WEBHOOKS} webhooks: delete those that are not used`, {
    code: 'too_many_webhooks',
  });

/** Setting `enabled` resets the failures and the reason for disabling. */
function columnsOf({ description, events, entity_types, enabled }: WebhookSettings): Partial<WebhookRow> {
  return {
    ...(description !== undefined && { description }),
    ...(events && { events: JSON.stringify(events) }),
    ...(entity_types !== undefined && { entity_types: entity_types && JSON.stringify(entity_types) }),
    ...(enabled !== undefined && {
      enabled: enabled ? 1 : 0,
      disabled_reason: null,
      failures: 0,
      rests_until: 0,
    }),
  };
}
