import { Option } from 'commander';
import { type AddCommand, EXIT } from '../context.ts';
import { pluginCatalogCommand } from '../plugin-catalog.command.ts';
import type { DevOptions } from './dev.ts';
import { KINDS, type Kind } from './kinds.ts';
import type { PackOptions } from './pack.ts';
import type { TestOptions } from './test-plugin.ts';

interface Output {
  json?: boolean;
}

const FOLDER = ['[folder]', 'the folder with plugin.json; the current one by default'] as const;
const JSON_OUTPUT = ['--json', 'print JSON'] as const;

export const pluginCommand: AddCommand = (program, context, done) => {
  const plugin = program.command('plugin').description('Write plugins: docs/plugins.md leads through it');

  plugin
    .command('new')
    .description('Begin a plugin in an empty or a new folder')
    .argument('<id>', 'its id: lower-case letters, digits and hyphens')
    .argument('[folder]', 'named like the id by default')
    .addOption(
      new Option('--kind <kind>', 'what it adds; guest is code in the service, full is one of everything')
        .choices(KINDS)
        .default('panel'),
    )
    .option(...JSON_OUTPUT)
    .action(async (id: string, folder: string | undefined, options: Output & { kind: Kind }) => {
      const { newPlugin } = await import('./new.ts');
      await newPlugin(context, { id, folder }, options);
      done(EXIT.ok);
    });

  plugin
    .command('build')
    .description('Check the manifest and make dist/; exit code 1 if something is wrong')
    .argument(...FOLDER)
    .option(...JSON_OUTPUT)
    .action(async (folder: string | undefined, options: Output) => {
      const { build } = await import('./build.ts');
      done(await build(context, folder, options));
    });

  plugin
    .command('test')
    .description(
      'Build, and call the hooks of the guest with the entities of a content folder; nothing is saved. Exit code 1 if it fails',
    )
    .argument(...FOLDER)
    .option('--content <folder>', 'the content folder; CONTENT_DIR by default')
    .option('--type <type>', 'only entities of this type')
    .option('--id <id>', 'only entities with this id')
    .option('--within <ms>', 'milliseconds for a call, of which a service gives a hook 250')
    .option(...JSON_OUTPUT)
    .action(async (folder: string | undefined, options: TestOptions) => {
      const { testPlugin } = await import('./test-plugin.ts');
      done(await testPlugin(context, folder, options));
    });

  plugin
    .command('dev')
    .description('Build and upload after every change, until Ctrl-C')
    .argument(...FOLDER)
    .option('--url <url>', 'the running service', 'http://127.0.0.1:8000')
    .option('--token <token>', 'an API key or access token of an admin; better in CANONRY_TOKEN')
    .option('--project <id>', 'the project to install it into')
    .action(async (folder: string | undefined, options: DevOptions) => {
      const { dev } = await import('./dev.ts');
      done(await dev(context, folder, options));
    });

  plugin
    .command('pack')
    .description('Build, and make the .zip that people upload')
    .argument(...FOLDER)
    .option('--out <file>', '{id}-{version}.zip in the folder by default')
    .option(...JSON_OUTPUT)
    .action(async (folder: string | undefined, options: PackOptions) => {
      const { pack } = await import('./pack.ts');
      done(await pack(context, folder, options));
    });

  plugin
    .command('wit')
    .description('Print the world of guests (plugin.wit), for other toolchains')
    .action(async () => {
      const { readWit } = await import('./starter.ts');
      context.out.write(await readWit());
      done(EXIT.ok);
    });
  pluginCatalogCommand(plugin, context, done);
};
