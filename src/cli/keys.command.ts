import { type AddCommand, EXIT, writeJson, writeLine } from './context.ts';

export const keysCommand: AddCommand = (program, context, done) => {
  const keys = program.command('keys').description('Keys that sign the tokens of the accounts service');
  keys
    .command('rotate')
    .description('Sign tokens with a new key from now on; nobody is signed out')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { rotateKeys } = await import('./keys.ts');
      const kid = await rotateKeys(context);
      if (json) writeJson(context, { kid });
      else
        writeLine(
          context,
          `The key ${kid} signs tokens within five seconds; tokens signed with the previous key stay valid.`,
        );
      done(EXIT.ok);
    });
};
