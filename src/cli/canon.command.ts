import type { AddCommand } from './context.ts';

export const canonCommand: AddCommand = (program, context, done) => {
  program
    .command('canon')
    .description('Look for contradictions in story time; exit code 1 when there are some')
    .option('--project <id>', 'the project to look at')
    .option('--json', 'print JSON')
    .action(async (options: { project?: string; json?: boolean }) => {
      const { canon } = await import('./canon.ts');
      done(await canon(context, options));
    });
};
