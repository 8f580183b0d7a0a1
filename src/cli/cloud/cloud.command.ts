import { type AddCommand, EXIT } from '../context.ts';

export const cloudCommand: AddCommand = (program, context, done) => {
  program
    .command('cloud')
    .description(
      'Run a whole cloud installation on this machine, to try it: accounts, two cores and the edge, with PostgreSQL and Redis unless DATABASE_URL and REDIS_URL name them',
    )
    .option('--json', 'print one JSON document once everything serves, and nothing else')
    .action(async ({ json = false }: { json?: boolean }) => {
      const { runCloud } = await import('./cloud.ts');
      await runCloud(context, { json });
      done(EXIT.ok);
    });
};
