import { InvalidArgumentError, Option } from 'commander';
import { PLAN_NAMES, type PlanName } from '../access/plans.ts';
import { commandGroup } from './command-group.ts';
import type { AddCommand } from './context.ts';

interface TenantOptions {
  json?: boolean;
  slug?: string;
  plan?: PlanName;
  seats?: number;
}

const load = () => import('./tenant.ts');
const planOption = () => new Option('--plan <plan>', 'what it may use').choices(PLAN_NAMES).default('free');
const seatsOption = () =>
  new Option(
    '--seats <number>',
    "people who may sign in, -1 for any number; the plan's own unless given",
  ).argParser(parseSeats);

function parseSeats(text: string): number {
  if (/^(?:-1|\d{1,6})$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number, or -1.');
}

export const tenantCommand: AddCommand = (program, context, done) => {
  const tenant = program.command('tenant').description('Tenants of the accounts service');
  const { add, finish } = commandGroup(tenant, load, done);

  add('list', 'Show all tenants').action(
    finish(({ listTenants }, options: TenantOptions) => listTenants(context, options)),
  );
  add('create', 'Make a tenant; the first of all runs the installation')
    .argument('<name>')
    .option('--slug <slug>', 'its name in addresses')
    .addOption(planOption())
    .addOption(seatsOption())
    .action(
      finish(({ makeTenant }, name: string, options: TenantOptions) => makeTenant(context, name, options)),
    );
  add('plan', 'Change the plan of a tenant')
    .argument('<tenant>', 'its slug or id')
    .argument('<plan>', PLAN_NAMES.join(', '))
    .addOption(seatsOption())
    .action(
      finish(({ setPlan }, name: string, plan: string, options: TenantOptions) =>
        setPlan(context, name, plan, options),
      ),
    );
  add('features', 'Give a tenant more or less than its plan')
    .argument('<tenant>', 'its slug or id')
    .argument(
      '<changes...>',
      'such as sso=on, cloud_drive_sync=off, web_access=plan, credits_monthly_override=500',
    )
    .action(
      finish(({ setFeatures }, name: string, changes: string[], options: TenantOptions) =>
        setFeatures(context, name, changes, options),
      ),
    );
};
