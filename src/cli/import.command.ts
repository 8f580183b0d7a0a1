import { InvalidArgumentError, Option } from 'commander';
import type { AskedTypes } from '../content/import/index.ts';
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
    .option(
      '--type-of <place=type>',
      'the type of one note, or of all in a file or folder, such as People=character; People= leaves them out. Repeatable',
      addTypeOf,
    )
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

/** The last `=` divides, since names of files may have one. */
function addTypeOf(choice: string, types: AskedTypes = new Map()): AskedTypes {
  const at = choice.lastIndexOf('=');
  if (at < 1) throw new InvalidArgumentError('Write a place and a type, such as People=character.');
  return new Map([...types, [choice.slice(0, at), choice.slice(at + 1) || null]]);
}
