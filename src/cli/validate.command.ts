import { type AddCommand, CommandError } from './context.ts';
import type { FixOptions } from './fix.ts';
import type { ValidateOptions } from './validate.ts';

export const validateCommand: AddCommand = (program, context, done) => {
  program
    .command('validate')
    .description(
      'Check templates, rules and entities in the content folder; exit code 1 when something is wrong',
    )
    .argument('[what...]', 'entity types, files or folders; everything by default')
    .option('--errors', 'print only faults, without warnings and hints of rules')
    .option('--all', 'print each warning and hint, instead of one line per rule')
    .option('--fix', 'apply the certain fixes to all entities, or to those of one type, as one operation')
    .option('--dry-run', 'with --fix: show it and change nothing')
    .option('--remove-dangling', 'with --fix: remove references to entities that do not exist')
    .option('--project <id>', 'the project to look at')
    .option('--json', 'print JSON')
    .action(async (what: string[], options: FixOptions & ValidateOptions & { fix?: boolean }) => {
      if (options.fix) {
        const { fix } = await import('./fix.ts');
        done(await fix(context, what, options));
        return;
      }
      if (options.dryRun || options.removeDangling) {
        throw new CommandError('--dry-run and --remove-dangling go with --fix');
      }
      const { validate } = await import('./validate.ts');
      done(await validate(context, what, options));
    });
};
