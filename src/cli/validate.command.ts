import type { AddCommand } from './context.ts';

export const validateCommand: AddCommand = (program, context, done) => {
  program
    .command('validate')
    .description('Check templates and entities in the content folder; exit code 1 when something is wrong')
    .argument('[what...]', 'entity types, files or folders; everything unless given')
    .option('--project <id>', 'the project to look at')
    .option('--json', 'print JSON')
    .action(async (what: string[], options: { project?: string; json?: boolean }) => {
      const { validate } = await import('./validate.ts');
      done(await validate(context, what, options));
    });
};
