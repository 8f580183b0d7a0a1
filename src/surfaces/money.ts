import type { Credits } from '../access/credits.ts';
import type { PlanName } from '../access/plans.ts';
import { type Assembled, assemble, type MountedModule } from '../frame/assemble.ts';
import type { Base } from '../frame/context.ts';
import type { DefinitionFor, Tags } from '../frame/module.ts';
import type { Identity } from '../people/auth/index.ts';
import { betaModule } from '../people/beta/index.ts';
import { billingModule } from '../people/billing/index.ts';
import { creditsModule, internalCreditsModule, type ReadAllowances } from '../people/credits/index.ts';
import { lettersModule } from '../people/letters/index.ts';
import type { PlanGrants } from '../people/tenants/index.ts';
import type { Users } from '../people/users/index.ts';
import type { Mailer } from '../platform/mail/mail.ts';
import { openPaymentEvents, openPayments } from './payments.ts';

const ledgerModules = [lettersModule, creditsModule] as const;
const paidModules = [billingModule, betaModule] as const;
/** For the schema of a database that has them. */
export const moneyModules = [...ledgerModules, ...paidModules] as const;

export const moneyTags = Object.assign(
  {},
  ...moneyModules.map((each: DefinitionFor<never>) => each.tags),
) as Tags;

/** The differences between the accounts service with its many tenants and a core with one. */
export interface MoneyOptions {
  mailer: Mailer;
  publicUrl: string;
  users: Users;
  identity: Identity;
  planGrants: PlanGrants;
  readAllowances: ReadAllowances;
  tenantOf(tenantId: string): Promise<{ name: string; plan: PlanName; maxUsers: number } | null>;
  isOperator(tenantId: string): Promise<boolean>;
  /** The plan of a self-hosted core; null in the accounts service. */
  localPlan: PlanName | null;
}

export interface Money extends Pick<Assembled, 'modules' | 'tags'> {
  credits: Credits;
  /** For the cores of a cloud, which spend what the accounts service counts. */
  internal: readonly MountedModule[];
  /** Ends what a tenant pays for: from the end of its access on. */
  stopPayments(tenantId: string): Promise<void>;
  /** Ends what a tenant pays for and removes its rows, before the tenant itself goes. */
  endTenant(tenantId: string): Promise<void>;
}

/** Credits, subscriptions and the beta programme, over the database that has the tenants. */
export async function openMoney(base: Base, options: MoneyOptions): Promise<Money> {
  const { config } = base;
  const { users, identity } = options;
  const payments = await openPayments(config);
  const ledger = assemble({ ...base, ...options, membersOf: users.list }, ledgerModules);
  const { ledger: books, endTenant: endCredits } = ledger.service(creditsModule);
  const paid = assemble(
    {
      ...base,
      ...options,
      payments,
      paymentEvents: await openPaymentEvents(config),
      books,
      letters: ledger.service(lettersModule),
      ownersOf: async (tenantId: string) =>
        (await users.list(tenantId))
          .filter(({ isActive, tenantRole }) => isActive && tenantRole === 'owner')
          .map(({ email }) => email),
      countMembers: users.countActive,
      countAttempt: identity.attempts.count,
      mailOf: async (userId: string) => (await users.findById(userId))?.email ?? null,
      lastActiveOf: identity.sessions.lastActiveOf,
    },
    paidModules,
    ledger,
  );
  const billing = paid.service(billingModule);
  const beta = paid.service(betaModule);
  return {
    modules: [
      { name: 'payments', routes: [], stop: async () => payments?.close() },
      ...ledger.modules,
      ...paid.modules,
    ],
    tags: { ...ledger.tags, ...paid.tags },
    credits: books,
    internal: assemble({}, [internalCreditsModule], ledger).modules,
    stopPayments: billing.stopPayments,
    async endTenant(tenantId) {
      await billing.endTenant(tenantId);
      await beta.endTenant(tenantId);
      await endCredits(tenantId);
    },
  };
}
