import { systemClock } from '../kit/clock.ts';
import { createLedger, tenantAllowances } from '../people/credits/index.ts';
import { createTenants } from '../people/tenants/index.ts';
import { type CliContext, writeJson, writeLine } from './context.ts';
import { changeMigratedDatabase } from './database.ts';
import { accountsSettings } from './project.ts';
import { count } from './terminal.ts';

/** Takes no more than there is. */
export async function correctCredits(
  context: CliContext,
  name: string,
  { amount, reason }: { amount: number; reason: string },
  { json }: { json?: boolean },
): Promise<void> {
  const clock = systemClock;
  const { slug, changed, balance } = await changeMigratedDatabase(
    accountsSettings(context),
    async (database) => {
      const { tenantId, slug } = await createTenants({ database, clock }).named(name);
      const ledger = createLedger({ database, clock, readAllowances: tenantAllowances({ clock }) });
      const changed = await ledger.correct(tenantId, amount, reason);
      const { balance } = await ledger.look(tenantId, '');
      return { slug, changed, balance };
    },
    'accounts',
  );
  if (json) return writeJson(context, { tenant: slug, changed, balance });
  const done = changed < 0 ? `Took ${count(-changed, 'credit')} from` : `Gave ${count(changed, 'credit')} to`;
  writeLine(context, `${done} ${slug}, which has ${balance} now.`);
}
