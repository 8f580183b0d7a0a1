import type { Command } from 'commander';
import { EXIT, type ExitCode } from './context.ts';

/** Declares a command with subcommands, such as `user list`. Their code is loaded when one of them runs. */
export function commandGroup<Commands>(
  parent: Command,
  load: () => Promise<Commands>,
  done: (code: ExitCode) => void,
) {
  return {
    add: (name: string, description: string): Command =>
      parent.command(name).description(description).option('--json', 'print JSON'),
    finish:
      <Args extends unknown[]>(run: (commands: Commands, ...args: Args) => Promise<void>) =>
      async (...args: Args): Promise<void> => {
        await run(await load(), ...args);
        done(EXIT.ok);
      },
  };
}
