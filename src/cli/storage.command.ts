import { commandGroup } from './command-group.ts';
import type { AddCommand } from './context.ts';

interface Output {
  json?: boolean;
}

const load = () => import('./storage.ts');

export const storageCommand: AddCommand = (program, context, done) => {
  const storage = program
    .command('storage')
    .description('Where the content of a self-hosted service is: a folder, S3 or Azure');
  const { add, finish } = commandGroup(storage, load, done);

  add('status', 'Show where the content is, which storage is set, and how the last move is doing').action(
    finish(({ storageStatus }, options: Output) => storageStatus(context, options)),
  );
  add('set', 'Test a storage and keep its settings, which are read as JSON from standard input')
    .addHelpText(
      'after',
      '\nFor example: {"provider": "s3", "bucket": "worlds", "endpoint": "https://objects.example.com", "access_key": "…", "secret_key": "…"}',
    )
    .action(finish(({ setStorage }, options: Output) => setStorage(context, options)));
  add('move', 'Move the content to the storage that is set, and wait until it is there').action(
    finish(({ moveStorage }, options: Output) => moveStorage(context, options)),
  );
  add('resume', 'Go on with a move that was interrupted, and wait until it is done').action(
    finish(({ resumeMove }, options: Output) => resumeMove(context, options)),
  );
  add('cancel', 'Cancel a move; the content stays where it was').action(
    finish(({ cancelMove }, options: Output) => cancelMove(context, options)),
  );
};
