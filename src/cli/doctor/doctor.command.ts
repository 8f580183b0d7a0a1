import type { AddCommand } from '../context.ts';

export const doctorCommand: AddCommand = (program, context, done) => {
  program
    .command('doctor')
    .description('Check that the content folder, the database and the data folder agree')
    .option('--fix', 'repair what can be repaired without risk')
    .option('--project <id>', 'the project to look at')
    .option('--json', 'print JSON')
    .action(async (options: { fix?: boolean; project?: string; json?: boolean }) => {
      const { doctor } = await import('./doctor.ts');
      done(await doctor(context, options));
    });
};
