import type { AddCommand } from './context.ts';

export const syncCommand: AddCommand = (program, context, done) => {
  program
    .command('sync')
    .description('Update the database from the content folder; exit code 1 if files are invalid')
    .option('--type <type>', 'look only at the folder of this entity type')
    .option('--force', 'accept deletions even if there are many')
    .option('--project <id>', 'the project to sync')
    .option('--json', 'print the report as JSON')
    .action(async (options: { type?: string; force?: boolean; project?: string; json?: boolean }) => {
      const { sync } = await import('./sync.ts');
      done(await sync(context, options));
    });
};
