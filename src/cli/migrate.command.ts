import { type AddCommand, EXIT } from './context.ts';

export const migrateCommand: AddCommand = (program, context, done) => {
  program
    .command('migrate')
    .description('Bring the tables of the database up to date; a SQLite file is copied first')
    .option('--status', 'only list what would be done (exit code 1 if there is anything)')
    .option('--json', 'print JSON')
    .action(async (options: { status?: boolean; json?: boolean }) => {
      const { migrate, migrationStatus } = await import('./migrate.ts');
      if (options.status) done(await migrationStatus(context, options));
      else {
        await migrate(context, options);
        done(EXIT.ok);
      }
    });
};
