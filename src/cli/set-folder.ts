import { stat } from 'node:fs/promises';
import { messageOf } from '../kit/errors.ts';
import { type CliContext, CommandError } from './context.ts';

/** Requires the folder of CONTENT_DIR, since a mistyped path must not start a new world. Only a user at a terminal may have it created. */
export async function requireSetFolder(context: CliContext, folder: string): Promise<void> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new CommandError(`CONTENT_DIR=${folder} cannot be used: ${messageOf(error)}`, { cause: error });
  });
  if (found?.isDirectory()) return;
  if (found !== null)
    throw new CommandError(`CONTENT_DIR=${folder} is a file: set it to the folder that holds your world`);
  const question = `There is no folder ${folder}. Create it with the starter templates and a sample world? [y/N] `;
  if (await isConfirmed(context, question)) return;
  throw new CommandError(
    `CONTENT_DIR=${folder}: there is no such folder, and nothing was made. Correct the path, or make the folder first: canonry init ${folder} --sample`,
  );
}

/** Asks on a terminal; without one the answer is no. */
async function isConfirmed(context: CliContext, question: string): Promise<boolean> {
  if (!context.out.isTTY || !context.input.isTTY) return false;
  context.out.write(question);
  for await (const chunk of context.input) return /^y(es)?\s*$/i.test(String(chunk));
  return false;
}
