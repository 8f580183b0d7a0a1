import { Option } from 'commander';
import type { AddCommand } from './cli.ts';
import { EXIT } from './context.ts';

const SURFACES = ['core'] as const;

export const serveCommand: AddCommand = (program, context, done) => {
  program
    .command('serve')
    .description('Start the service and keep it running until it is asked to stop')
    .addOption(
      new Option('--surface <name>', 'which part of the service to start').choices(SURFACES).default('core'),
    )
    .addOption(
      new Option('--provision', 'make what is unset in the data folder (what npm start does)').hideHelp(),
    )
    .action(async (options: { provision?: boolean }) => {
      const { serve } = await import('./serve.ts');
      await serve(context, { provision: options.provision === true });
      done(EXIT.ok);
    });
};
