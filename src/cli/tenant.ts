import { isPlanName, PLAN_NAMES, type PlanName } from '../access/plans.ts';
import { dayOf, systemClock } from '../kit/clock.ts';
import {
  createTenants,
  type FeatureChanges,
  FLAG_KEYS,
  type Tenant,
  type Tenants,
} from '../people/tenants/index.ts';
import { type CliContext, CommandError, writeJson, writeLine } from './context.ts';
import { changeMigratedDatabase, readDatabase } from './database.ts';
import { accountsSettings } from './project.ts';
import { columns, styled } from './terminal.ts';

interface Output {
  json?: boolean;
}

const CREDITS = 'credits_monthly_override';
const FLAG_WORDS = new Map<string, boolean | null>([
  ['on', true],
  ['off', false],
  ['plan', null],
]);

const change = (context: CliContext, work: (tenants: Tenants) => Promise<Tenant>): Promise<Tenant> =>
  changeMigratedDatabase(
    accountsSettings(context),
    (database) => work(createTenants({ database, clock: systemClock })),
    'accounts',
  );

const shown = ({ tenantId, name, slug, plan, maxUsers, creditsMonthly, overrides, ...tenant }: Tenant) => ({
  tenant_id: tenantId,
  name,
  slug,
  plan,
  max_users: maxUsers,
  credits_monthly: creditsMonthly,
  features: overrides,
  is_operator: tenant.isOperator,
  deletes_at: tenant.deletesAt,
});

const amount = (count: number): string => (count < 0 ? 'any' : String(count));

function report(context: CliContext, tenant: Tenant, line: string, { json }: Output): void {
  if (json) writeJson(context, { tenant: shown(tenant) });
  else writeLine(context, line);
}

export async function listTenants(context: CliContext, { json }: Output): Promise<void> {
  const tenants = await readDatabase(
    accountsSettings(context),
    (database) => createTenants({ database, clock: systemClock }).list(),
    'accounts',
  );
  if (json) return writeJson(context, { tenants: tenants.map(shown) });
  const rows = tenants.map(({ slug, plan, maxUsers, overrides, name, deletesAt }) => [
    slug,
    plan,
    amount(maxUsers),
    Object.entries(overrides)
      .map(([key, value]) => `${key}=${value}`)
      .join(' '),
    deletesAt === null ? name : `${name} (to be deleted on ${dayOf(deletesAt)})`,
  ]);
  const [head, ...lines] = columns([['SLUG', 'PLAN', 'SEATS', 'OVERRIDES', 'NAME'], ...rows]);
  writeLine(context, styled(context, 'bold', head ?? ''));
  for (const line of lines) writeLine(context, line);
}

export async function makeTenant(
  context: CliContext,
  name: string,
  { slug, plan, seats, ...output }: Output & { slug?: string; plan?: PlanName; seats?: number },
): Promise<void> {
  const tenant = await change(context, (tenants) => tenants.create({ name, slug, plan, maxUsers: seats }));
  report(context, tenant, `Made ${tenant.slug} on the ${tenant.plan} plan (${tenant.tenantId}).`, output);
}

export async function setPlan(
  context: CliContext,
  name: string,
  plan: string,
  { seats, ...output }: Output & { seats?: number },
): Promise<void> {
  if (!isPlanName(plan))
    throw new CommandError(`there is no plan '${plan}': use one of ${PLAN_NAMES.join(', ')}`);
  const tenant = await change(context, async (tenants) =>
    tenants.changePlan((await tenants.named(name)).tenantId, plan, seats),
  );
  const line = `${tenant.slug} is on the ${plan} plan, with seats for ${amount(tenant.maxUsers)}; it counts within five seconds.`;
  report(context, tenant, line, output);
}

export async function setFeatures(
  context: CliContext,
  name: string,
  changes: readonly string[],
  output: Output,
): Promise<void> {
  const wanted: FeatureChanges = Object.assign({}, ...changes.map(parseChange));
  const tenant = await change(context, async (tenants) =>
    tenants.changeFeatures((await tenants.named(name)).tenantId, wanted),
  );
  report(context, tenant, `Changed ${tenant.slug}; it counts within five seconds.`, output);
}

function parseChange(text: string): FeatureChanges {
  const [key = '', word = ''] = text.split('=');
  if (key === CREDITS && /^(?:-1|\d{1,9})$/.test(word)) return { [CREDITS]: Number(word) };
  if (key === CREDITS && word === 'plan') return { [CREDITS]: null };
  const flag = FLAG_WORDS.get(word);
  if (Object.hasOwn(FLAG_KEYS, key) && flag !== undefined) return { [key]: flag };
  throw new CommandError(
    `'${text}' is no change: write KEY=on, KEY=off or KEY=plan with a KEY of ${Object.keys(FLAG_KEYS).join(', ')}, or ${CREDITS}=NUMBER`,
  );
}
