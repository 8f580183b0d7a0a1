import { type Command, Option } from 'commander';
import { ROLES, type Role } from '../content/plans.ts';
import { type AddCommand, EXIT } from './context.ts';

interface UserOptions {
  json?: boolean;
  role?: Role;
  name?: string;
  passwordStdin?: boolean;
}

const load = () => import('./user.ts');
const PASSWORD_STDIN = [
  '--password-stdin',
  'read the password from standard input; else one is made',
] as const;

export const userCommand: AddCommand = (program, context, done) => {
  const user = program.command('user').description('Accounts of this installation');
  const add = (name: string, description: string): Command =>
    user.command(name).description(description).option('--json', 'print JSON');
  const finish =
    <Args extends unknown[]>(
      run: (commands: Awaited<ReturnType<typeof load>>, ...args: Args) => Promise<void>,
    ) =>
    async (...args: Args): Promise<void> => {
      await run(await load(), ...args);
      done(EXIT.ok);
    };

  add('list', 'Show all accounts').action(
    finish(({ listUsers }, options: UserOptions) => listUsers(context, options)),
  );
  add('create', 'Add an account; the first of all is the owner')
    .argument('<email>')
    .addOption(new Option('--role <role>', 'what the account may do').choices(ROLES).default('viewer'))
    .option('--name <name>', 'the name that others see')
    .option(...PASSWORD_STDIN)
    .action(
      finish(({ createUser }, email: string, options: UserOptions) => createUser(context, email, options)),
    );
  add('role', 'Change what an account may do')
    .argument('<email>')
    .argument('<role>', ROLES.join(', '))
    .action(
      finish(({ setRole }, email: string, role: string, options: UserOptions) =>
        setRole(context, email, role, options),
      ),
    );
  add('deactivate', 'End the sessions of an account and let it sign in no more')
    .argument('<email>')
    .action(
      finish(({ deactivateUser }, email: string, options: UserOptions) =>
        deactivateUser(context, email, options),
      ),
    );
  add('reset-password', 'Give an account a new password and end its sessions')
    .argument('<email>')
    .option(...PASSWORD_STDIN)
    .action(
      finish(({ resetPassword }, email: string, options: UserOptions) =>
        resetPassword(context, email, options),
      ),
    );
};
