import type { AddCommand } from './context.ts';

export const importCommand: AddCommand = (program, context, done) => {
  program
    .command('import')
    .description(
      'Take the entities of another content folder in, byte for byte; ids that are in use are refused and listed',
    )
    .argument('<folder>', 'a content folder')
    .option('--dry-run', 'only say what would be taken in')
    .option('--project <id>', 'the project to import into')
    .option('--json', 'print JSON')
    .action(async (folder: string, options: { dryRun?: boolean; project?: string; json?: boolean }) => {
      const { importFolder } = await import('./import.ts');
      done(await importFolder(context, folder, options));
    });
};
