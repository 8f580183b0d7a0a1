import type { Command } from 'commander';
import { commandGroup } from './command-group.ts';
import type { AddCommand } from './context.ts';

interface CatalogOptions {
  json?: boolean;
  key: string;
}

/** Other commands about plugins may be there before. */
const groupOf = (program: Command): Command =>
  program.commands.find((command) => command.name() === 'plugin') ??
  program.command('plugin').description('Plugins, and catalogs of them');

export const pluginCatalogCommand: AddCommand = (program, context, done) => {
  const catalog = groupOf(program)
    .command('catalog')
    .description('For those who keep a catalog that others install plugins from');
  const { add, finish } = commandGroup(catalog, () => import('./plugin-catalog.ts'), done);

  add('keys', 'Show the public key that belongs to a private one, which is made if there is none yet')
    .argument('<file>', 'the private key in PEM: whoever has it can sign')
    .action(
      finish(({ showKeys }, file: string, options: CatalogOptions) => showKeys(context, file, options)),
    );
  add('sign', 'Check an index, and the archives beside it, and write its signature to a file beside it')
    .argument('<file>', 'catalog.json')
    .requiredOption('--key <file>', 'the private key in PEM')
    .action(
      finish(({ signCatalog }, file: string, options: CatalogOptions) => signCatalog(context, file, options)),
    );
};
