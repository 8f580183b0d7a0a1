import { InvalidArgumentError, Option } from 'commander';
import { type AddCommand, EXIT } from './context.ts';

const LATER_SURFACES = ['accounts', 'edge', 'ai', 'desktop'];

function parseSurface(name: string): string {
  if (name === 'core') return name;
  if (LATER_SURFACES.includes(name))
    throw new InvalidArgumentError(
      `The surface ${name} is not built yet, nor are the others of ${LATER_SURFACES.join(', ')}: only core is.`,
    );
  throw new InvalidArgumentError('There is no such surface: core is the one to start.');
}

export const serveCommand: AddCommand = (program, context, done) => {
  program
    .command('serve')
    .description('Start the service and keep it running until it is asked to stop')
    .addOption(
      new Option('--surface <name>', 'which part of the service to start')
        .argParser(parseSurface)
        .default('core'),
    )
    .addOption(
      new Option('--provision', 'make what is unset in the data folder (what npm start does)').hideHelp(),
    )
    .option('--json', 'print one JSON document once requests are served, and nothing else')
    .action(async (options: { provision?: boolean; json?: boolean }) => {
      const { serve } = await import('./serve.ts');
      await serve(context, { provision: options.provision === true, json: options.json === true });
      done(EXIT.ok);
    });
};
