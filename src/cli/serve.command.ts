import { Option } from 'commander';
import { SURFACES } from '../kit/config/index.ts';
import { type AddCommand, EXIT } from './context.ts';
import type { ServeOptions } from './served.ts';

export const serveCommand: AddCommand = (program, context, done) => {
  program
    .command('serve')
    .description('Start the service and keep it running until it is asked to stop')
    .addOption(
      new Option('--surface <name>', 'which part of the service to start').choices(SURFACES).default('core'),
    )
    .addOption(
      new Option('--provision', 'generate missing settings in the data folder, as npm start does').hideHelp(),
    )
    .addOption(
      new Option(
        '--attached',
        'also stop when standard input ends, so that the process ends with its parent',
      ).hideHelp(),
    )
    .option('--json', 'print one JSON document once requests are served, and nothing else')
    .action(async (options: Partial<ServeOptions> & Pick<ServeOptions, 'surface'>) => {
      const { serve } = await import('./serve.ts');
      const { surface, provision = false, attached = false, json = false } = options;
      await serve(context, { surface, provision, attached, json });
      done(EXIT.ok);
    });
};
