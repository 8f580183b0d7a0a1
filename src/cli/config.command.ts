import { Option } from 'commander';
import { type AddCommand, EXIT, writeJson, writeLine } from './context.ts';
import { columns, styled } from './terminal.ts';

export const configCommand: AddCommand = (program, context, done) => {
  program
    .command('config')
    .description('Show every setting with its value and where that comes from; secrets are masked')
    .option('--json', 'print JSON')
    .addOption(new Option('--markdown', 'print the table of all variables for a README').conflicts('json'))
    .action(async (options: { json?: boolean; markdown?: boolean }) => {
      const { configTableMarkdown, describeConfig, loadConfig } = await import('../kit/config/index.ts');
      if (options.markdown) writeLine(context, configTableMarkdown());
      else {
        const variables = describeConfig(loadConfig({ env: context.env, mode: 'cli' }));
        if (options.json) writeJson(context, { variables });
        else {
          const rows = variables.map(({ name, value, source }) => [name, source, value]);
          const [head, ...lines] = columns([['VARIABLE', 'SOURCE', 'VALUE'], ...rows]);
          writeLine(context, styled(context, 'bold', head ?? ''));
          for (const line of lines) writeLine(context, line);
        }
      }
      done(EXIT.ok);
    });
};
