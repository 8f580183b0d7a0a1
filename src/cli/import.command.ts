import { Option } from 'commander';
import type { AddCommand } from './context.ts';
import type { ImportCommandOptions } from './import-sources.ts';

export const importCommand: AddCommand = (program, context, done) => {
  program
    .command('import')
    .description(
      'Import what was written elsewhere: notes, tables (CSV), JSON, a zip of these, or another content folder. A content folder’s entities are copied byte for byte; for anything else, a report says what became of everything',
    )
    .argument('<path>', 'a folder, or a .zip, .md, .csv, .tsv or .json file')
    .option('--type <type>', 'the type of everything')
    .option('--default-type <type>', 'the type of notes that do not name one')
    .addOption(
      new Option('--mode <mode>', 'what to do with entities that already exist')
        .choices(['skip', 'merge', 'replace'])
        .default('skip'),
    )
    .option(
      '--include-json',
      'also read the .json files of a folder or zip as notes; a .json file that you name is always read',
    )
    .option('--dry-run', 'only say what would be imported')
    .option('--project <id>', 'the project to import into')
    .option('--json', 'print JSON')
    .action(async (path: string, options: ImportCommandOptions) => {
      const { importPath } = await import('./import.ts');
      done(await importPath(context, path, options));
    });
};
