import { Option } from 'commander';
import { ROLES, type Role } from '../access/plans.ts';
import { commandGroup } from './command-group.ts';
import type { AddCommand } from './context.ts';

interface UserOptions {
  json?: boolean;
  role?: Role;
  name?: string;
  passwordStdin?: boolean;
  mail?: boolean;
  tenant?: string;
}

const load = async () => ({ ...(await import('./user.ts')), ...(await import('./user-tokens.ts')) });
const PASSWORD_STDIN = [
  '--password-stdin',
  'read the password from standard input; otherwise one is generated',
] as const;
const TENANT = ['--tenant <tenant>', 'of the accounts service: its slug or id'] as const;

export const userCommand: AddCommand = (program, context, done) => {
  const user = program
    .command('user')
    .description('Accounts of a self-hosted core, or of the accounts service');
  const { add, finish } = commandGroup(user, load, done);

  add('list', 'Show all accounts')
    .option(...TENANT)
    .action(finish(({ listUsers }, options: UserOptions) => listUsers(context, options)));
  add('create', 'Add an account; the first of all is the owner')
    .argument('<email>')
    .addOption(new Option('--role <role>', 'what the account may do').choices(ROLES).default('viewer'))
    .option('--name <name>', 'the name that others see')
    .option(...TENANT)
    .option(...PASSWORD_STDIN)
    .action(
      finish(({ createUser }, email: string, options: UserOptions) => createUser(context, email, options)),
    );
  add('invite', 'Create an invitation: whoever has its token gets an account with that address')
    .argument('<email>')
    .addOption(new Option('--role <role>', 'what the account may do').choices(ROLES).default('viewer'))
    .option(...TENANT)
    .action(
      finish(({ inviteUser }, email: string, options: UserOptions) => inviteUser(context, email, options)),
    );
  add('role', 'Change what an account may do')
    .argument('<email>')
    .argument('<role>', ROLES.join(', '))
    .action(
      finish(({ setRole }, email: string, role: string, options: UserOptions) =>
        setRole(context, email, role, options),
      ),
    );
  add('deactivate', 'End the sessions of an account and stop it from signing in')
    .argument('<email>')
    .action(
      finish(({ deactivateUser }, email: string, options: UserOptions) =>
        deactivateUser(context, email, options),
      ),
    );
  add('reset-link', 'Create a token with which somebody can choose a new password, once and within an hour')
    .argument('<email>')
    .option('--mail', 'send it to them instead of printing it')
    .action(
      finish(({ resetLink }, email: string, options: UserOptions) => resetLink(context, email, options)),
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
