import { commandGroup } from './command-group.ts';
import type { AddCommand } from './context.ts';

interface CatalogOptions {
  json?: boolean;
  key: string;
}

/** Part of the commands about plugins. */
export const pluginCatalogCommand: AddCommand = (plugin, context, done) => {
  const catalog = plugin
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
