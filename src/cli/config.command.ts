import { Option } from 'commander';
import { type AddCommand, EXIT, say, sayJson } from './context.ts';
import { columns, inked } from './terminal.ts';

export const configCommand: AddCommand = (program, context, done) => {
  program
    .command('config')
    .description('Show every setting with its value and where that comes from; secrets are masked')
    .option('--json', 'print JSON')
    .addOption(new Option('--markdown', 'print the table of all variables for a README').conflicts('json'))
    .action(async (options: { json?: boolean; markdown?: boolean }) => {
      const { configTableMarkdown, describeConfig, loadConfig } = await import('../kit/config/index.ts');
      if (options.markdown) say(context, configTableMarkdown());
      else {
        const variables = describeConfig(loadConfig({ env: context.env, mode: 'cli' }));
        if (options.json) sayJson(context, { variables });
        else {
          const rows = variables.map(({ name, value, source }) => [name, source, value]);
          const [head, ...lines] = columns([['VARIABLE', 'SOURCE', 'VALUE'], ...rows]);
          say(context, inked(context, 'bold', head ?? ''));
          for (const line of lines) say(context, line);
        }
      }
      done(EXIT.ok);
    });
};
