import type { AddCommand } from './context.ts';
import type { McpOptions } from './mcp.ts';

export const mcpCommand: AddCommand = (program, context, done) => {
  program
    .command('mcp')
    .description(
      'Speak the Model Context Protocol on standard input and output, for an agent that starts this command',
    )
    .option('--url <url>', 'a running service to speak for; without it the content folder is opened here')
    .option('--key <key>', 'an API key or access token of that service; better in CANONRY_API_KEY')
    .option('--project <id>', 'the project to work on')
    .action(async (options: McpOptions) => {
      const { mcp } = await import('./mcp.ts');
      done(await mcp(context, options));
    });
};
