import type { Kysely } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { Executor } from '../../platform/database/dialect.ts';
import type { BillingTables, InvoiceRow, PurchaseRow, SubscriptionRow } from './billing.tables.ts';

/** One that was booked stays as it is. */
export async function putPurchase(db: Executor, row: PurchaseRow): Promise<void> {
  const { checkout_id: _, ...rest } = row;
  await (db as Kysely<BillingTables>)
    .insertInto('billing_purchases')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('checkout_id').doUpdateSet(rest).where('billing_purchases.status', '!=', 'booked'),
    )
    .execute();
}

/** A paid invoice stays paid, whatever arrives late. */
export async function putInvoice(db: Executor, row: InvoiceRow): Promise<void> {
  const { invoice_id: _, ...rest } = row;
  await (db as Kysely<BillingTables>)
    .insertInto('billing_invoices')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('invoice_id')
        .doUpdateSet(rest)
        .where((is) => is.or([is('billing_invoices.status', '!=', 'paid'), is.lit(row.status === 'paid')])),
    )
    .execute();
}

export async function isInvoicePaid(db: Executor, invoiceId: string): Promise<boolean> {
  const row = await (db as Kysely<BillingTables>)
    .selectFrom('billing_invoices')
    .select('status')
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirst();
  return row?.status === 'paid';
}

/** The payments for a subscription in its present period and the one before. */
export async function paidLately(
  db: Executor,
  {
    tenant_id,
    subscription_id,
    period_start,
  }: Pick<SubscriptionRow, 'tenant_id' | 'subscription_id' | 'period_start'>,
): Promise<{ isPeriodPaid: boolean; mostAtOnce: number }> {
  const paid = (db as Kysely<BillingTables>)
    .selectFrom('billing_invoices')
    .where('tenant_id', '=', tenant_id)
    .where('subscription_id', '=', subscription_id)
    .where('status', '=', 'paid');
  // Invoices for the rest of a period begin after it did.
  const whole = await paid.select('invoice_id').where('period_start', '=', period_start).executeTakeFirst();
  const most = await paid
    .select(({ fn }) => fn.max('amount_paid').as('amount'))
    .where('period_end', '>=', period_start)
    .executeTakeFirst();
  return { isPeriodPaid: whole !== undefined, mostAtOnce: Number(most?.amount ?? 0) };
}

export const createPaymentStore = (database: TenantDatabase) => ({
  /** Newest first. */
  purchases: (
    tenantId: string,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<{ total: number; rows: PurchaseRow[] }> =>
    database.read(async (db: Kysely<BillingTables>) => {
      const all = db.selectFrom('billing_purchases').where('tenant_id', '=', tenantId);
      const { total } = await all
        .select(({ fn }) => fn.countAll<number | string>().as('total'))
        .executeTakeFirstOrThrow();
      const rows = await all
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('checkout_id')
        .offset(offset)
        .limit(limit)
        .execute();
      return { total: Number(total), rows };
    }),

  /** Newest first; `after` is the last id of the page before. */
  invoices: (
    tenantId: string,
    { limit, after }: { limit: number; after?: string | undefined },
  ): Promise<InvoiceRow[]> =>
    database.read(async (db: Kysely<BillingTables>) => {
      const all = db.selectFrom('billing_invoices').selectAll().where('tenant_id', '=', tenantId);
      const last =
        after === undefined ? undefined : await all.where('invoice_id', '=', after).executeTakeFirst();
      if (after !== undefined && last === undefined) return [];
      const { created_at: at, invoice_id: id } = last ?? { created_at: 0, invoice_id: '' };
      const page =
        last === undefined
          ? all
          : all.where((is) =>
              is.or([
                is('created_at', '<', at),
                is.and([is('created_at', '=', at), is('invoice_id', '>', id)]),
              ]),
            );
      return page.orderBy('created_at', 'desc').orderBy('invoice_id').limit(limit).execute();
    }),
});
