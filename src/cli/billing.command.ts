import { InvalidArgumentError, Option } from 'commander';
import { commandGroup } from './command-group.ts';
import { type AddCommand, EXIT } from './context.ts';

const load = () => import('./billing.ts');

interface EventOptions {
  json?: boolean;
  type?: string;
  outcome?: string;
  limit: number;
}

const webhookOption = () =>
  new Option(
    '--webhook-url <url>',
    "where the provider sends events; PUBLIC_URL's /api/billing/webhook unless given",
  );

function parseLimit(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number from 1 to 9999.');
}

export const billingCommand: AddCommand = (program, context, done) => {
  const billing = program.command('billing').description('Plans and credits that are paid for');
  const { add, finish } = commandGroup(billing, load, done);

  add('setup', 'Put the catalogue on sale at the provider, and have it send its events here')
    .option('--dry-run', 'say what would be done, and do nothing')
    .addOption(webhookOption())
    .action(
      finish(({ setUpBilling }, options: { json?: boolean; dryRun?: boolean; webhookUrl?: string }) =>
        setUpBilling(context, options),
      ),
    );
  add('status', 'Show what is missing; the exit code is 1 if anything is')
    .addOption(webhookOption())
    .action(async (options: { json?: boolean; webhookUrl?: string }) => {
      const { showBilling } = await load();
      done((await showBilling(context, options)) ? EXIT.ok : EXIT.findings);
    });
  add('events', "Show the provider's events, the newest first")
    .option('--type <type>', 'such as invoice.paid')
    .option('--outcome <outcome>', 'what came of them, such as held')
    .addOption(new Option('--limit <number>', 'at most so many').argParser(parseLimit).default(50))
    .action(finish(({ listEvents }, options: EventOptions) => listEvents(context, options)));
};
