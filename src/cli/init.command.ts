import { type AddCommand, EXIT, writeJson, writeLine } from './context.ts';

interface InitOptions {
  sample?: boolean;
  project?: string;
  addTemplates?: boolean;
  addRules?: boolean;
  json?: boolean;
}

export const initCommand: AddCommand = (program, context, done) => {
  program
    .command('init')
    .description('Fill an empty folder with the starter templates and rules')
    .argument('[dir]', 'the folder; CONTENT_DIR by default')
    .option('--sample', 'add the sample world')
    .option(
      '--add-templates',
      'add the starter templates that a folder with content lacks; nothing is overwritten',
    )
    .option(
      '--add-rules',
      'add the starter rule files that a folder with content lacks; nothing is overwritten',
    )
    .option('--project <id>', 'fill the folder of this project in the data folder')
    .option('--json', 'print JSON')
    .action(async (dir: string | undefined, options: InitOptions) => {
      const { init } = await import('./init.ts');
      const filled = await init(context, dir, options);
      if (options.json) writeJson(context, filled);
      else {
        writeLine(
          context,
          `Filled ${filled.folder} with ${filled.templates} templates and ${filled.rules} rule files${filled.sample ? ' and the sample world' : ''}.`,
        );
        if (dir !== undefined) writeLine(context, `To use it: CONTENT_DIR=${filled.folder} npm start`);
      }
      done(EXIT.ok);
    });
};
