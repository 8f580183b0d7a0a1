import type { StripeCaller } from './stripe-client.ts';

/**
 * Search does not find a customer in its first minute, so creation is idempotent by the tenant. It sends nothing else: with other
 * parameters the provider would refuse the key.
 */
export async function createCustomer(
  { call }: StripeCaller,
  { tenantId, name, email }: { tenantId: string; name: string; email: string },
): Promise<string> {
  const query = `metadata['canonry_tenant']:'${tenantId.replaceAll(/['\\]/g, '\\$&')}'`;
  const { data } = await call((stripe) => stripe.customers.search({ query, limit: 100 }));
  const [oldest] = data.toSorted((a, b) => a.created - b.created);
  const customer =
    oldest ??
    (await call((stripe) =>
      stripe.customers.create(
        { metadata: { canonry_tenant: tenantId } },
        { idempotencyKey: `customer-${tenantId}` },
      ),
    ));
  if (customer.email === null) await call((stripe) => stripe.customers.update(customer.id, { name, email }));
  return customer.id;
}
