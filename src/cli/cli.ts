import { Command, CommanderError } from 'commander';
import { messageOf } from '../kit/errors.ts';
import { packageVersion } from '../surfaces/package-root.ts';
import { type CliContext, CommandError, complain, EXIT, type ExitCode } from './context.ts';
import { serveCommand } from './serve.command.ts';

/** Adds one command to the program; its action reports the exit code. */
export type AddCommand = (program: Command, context: CliContext, done: (code: ExitCode) => void) => void;

const COMMANDS: readonly AddCommand[] = [serveCommand];

/** Runs one command line (without `node` and the script) and resolves to its exit code. */
export async function runCli(args: readonly string[], context: CliContext): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  const program = new Command('canonry')
    .description(
      'Keeps the canon of a fictional world: a folder of markdown is a typed, searchable, synced API',
    )
    .version(packageVersion())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.out.write(text),
      writeErr: (text) => context.err.write(text),
    });
  for (const add of COMMANDS) {
    add(program, context, (result) => {
      code = result;
    });
  }
  for (const command of program.commands) command.exitOverride().copyInheritedSettings(program);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.failed;
    complain(context, `canonry: ${messageOf(error)}`);
    if (!(error instanceof CommandError) && error instanceof Error && error.name !== 'ConfigError') {
      complain(context, error.stack ?? '');
    }
    return EXIT.failed;
  }
}
