import { InvalidArgumentError } from 'commander';
import { commandGroup } from './command-group.ts';
import type { AddCommand } from './context.ts';

const load = () => import('./credits.ts');

function parseAmount(text: string): number {
  if (/^[+-]?[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number, such as 50 or -50.');
}

export const creditsCommand: AddCommand = (program, context, done) => {
  const credits = program.command('credits').description('Credits of the tenants of the accounts service');
  const { add, finish } = commandGroup(credits, load, done);

  add('correct', 'Give a tenant credits, or take some, by an entry of its own')
    .argument('<tenant>', 'its slug or id')
    .argument('<amount>', 'below zero to take credits', parseAmount)
    .argument('<reason>', 'kept with the entry')
    .action(
      finish(
        ({ correctCredits }, name: string, amount: number, reason: string, options: { json?: boolean }) =>
          correctCredits(context, name, { amount, reason }, options),
      ),
    );
};
