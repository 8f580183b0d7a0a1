import type { Base } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { checkLedger } from './check.store.ts';
import { creditRoutes } from './credits.routes.ts';
import { createLedger } from './credits.service.ts';
import { creditMigrations } from './credits.tables.ts';
import { internalCreditRoutes } from './internal-credits.routes.ts';
import type { ReadAllowances } from './ledger.ts';
import { removeBooks } from './remove.store.ts';
import { createUpkeep } from './upkeep.ts';
import { usageRoutes } from './usage.routes.ts';
import { type CreditMember, createUsage } from './usage.service.ts';

export interface CreditsContext extends Pick<Base, 'database' | 'clock' | 'config' | 'log'> {
  readAllowances: ReadAllowances;
  /** Everybody of a tenant. */
  membersOf(tenantId: string): Promise<readonly CreditMember[]>;
}

/** The ledger of credits: what tenants were given, spend and may spend. */
export const creditsModule = defineModule({
  name: 'credits',
  tables: creditMigrations,
  create({ database, clock, config, log, readAllowances, membersOf }: CreditsContext) {
    const ledger = createLedger({ database, clock, readAllowances });
    const usage = createUsage({ database, clock, ledger, membersOf });
    const upkeep = createUpkeep({ database, clock, log, ledger });
    return {
      service: {
        ledger,
        checkLedger: () => checkLedger(database),
        /** Removes the books of a tenant that is being deleted. */
        endTenant: (tenantId: string) => removeBooks(database.system, tenantId),
      },
      routes: [
        ...creditRoutes({ ledger, usage, tokensPerCredit: config.aiTokensPerCredit }),
        ...usageRoutes(usage),
      ],
      start: upkeep.start,
      async stop() {
        await upkeep.stop();
        await ledger.idle();
      },
    };
  },
});

/** The ledger for cores that have none of their own. */
export const internalCreditsModule = defineModule({
  name: 'internal-credits',
  uses: { credits: creditsModule },
  create: (_context: object, { credits: { ledger } }) => ({ routes: internalCreditRoutes(ledger) }),
});
