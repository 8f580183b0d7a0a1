import { Command, CommanderError } from 'commander';
import { messageOf } from '../kit/errors.ts';
import { packageVersion } from '../surfaces/package-root.ts';
import { billingCommand } from './billing.command.ts';
import { canonCommand } from './canon.command.ts';
import { cloudCommand } from './cloud/cloud.command.ts';
import { configCommand } from './config.command.ts';
import {
  type AddCommand,
  type CliContext,
  CommandError,
  EXIT,
  type ExitCode,
  writeError,
  writeJson,
} from './context.ts';
import { creditsCommand } from './credits.command.ts';
import { doctorCommand } from './doctor/doctor.command.ts';
import { exportCommand } from './export.command.ts';
import { importCommand } from './import.command.ts';
import { initCommand } from './init.command.ts';
import { keysCommand } from './keys.command.ts';
import { mcpCommand } from './mcp.command.ts';
import { migrateCommand } from './migrate.command.ts';
import { pluginCommand } from './plugin/plugin.command.ts';
import { serveCommand } from './serve.command.ts';
import { storageCommand } from './storage.command.ts';
import { syncCommand } from './sync.command.ts';
import { tenantCommand } from './tenant.command.ts';
import { userCommand } from './user.command.ts';
import { validateCommand } from './validate.command.ts';

const COMMANDS: readonly AddCommand[] = [
  serveCommand,
  mcpCommand,
  cloudCommand,
  initCommand,
  syncCommand,
  validateCommand,
  canonCommand,
  doctorCommand,
  importCommand,
  exportCommand,
  pluginCommand,
  userCommand,
  tenantCommand,
  creditsCommand,
  billingCommand,
  keysCommand,
  storageCommand,
  configCommand,
  migrateCommand,
];

/** Errors whose message alone is for the user: a stack would add nothing. */
const EXPECTED = new Set([
  'CommandError',
  'ConfigError',
  'HttpError',
  'FilesError',
  'DatabaseError',
  'MailError',
  'PaymentsError',
]);

/** Runs one command line (without `node` and the script) and resolves to its exit code. */
export async function runCli(args: readonly string[], context: CliContext): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  const program = createProgram(context, (result) => {
    code = result;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    if (context.stop.aborted) {
      writeError(context, 'canonry: interrupted');
      return EXIT.failed;
    }
    if (args.includes('--json')) writeJson(context, { error: messageOf(error) });
    if (!(error instanceof CommanderError)) report(context, error);
    return EXIT.failed;
  }
}

function createProgram(context: CliContext, done: (code: ExitCode) => void): Command {
  const program = new Command('canonry')
    .description(
      'Keeps the canon of a fictional world: a folder of markdown is a typed, searchable, synced API',
    )
    .version(packageVersion())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.out.write(text),
      writeErr: (text) => context.err.write(text),
    })
    .addHelpText(
      'after',
      '\nExit codes: 0 fine, 1 findings, 2 could not run. Settings are environment variables: see canonry config.',
    );
  program.hook('preAction', () => warnOfMistypedVariables(context));
  for (const add of COMMANDS) add(program, context, done);
  return program;
}

/** A setting under a mistyped name is ignored, and its default used without a warning. */
async function warnOfMistypedVariables(context: CliContext): Promise<void> {
  const { mistypedVariables } = await import('../kit/config/index.ts');
  const mistyped = mistypedVariables(context.env);
  if (mistyped !== undefined) writeError(context, `canonry: ${mistyped}`);
}

function report(context: CliContext, error: unknown): void {
  writeError(context, `canonry: ${messageOf(error)}`);
  const isExpected = error instanceof CommandError || (error instanceof Error && EXPECTED.has(error.name));
  if (!isExpected && error instanceof Error) writeError(context, error.stack ?? '');
}
