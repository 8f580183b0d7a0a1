import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { relative } from 'node:path';
import { messageOf } from '../kit/errors.ts';
import { type CliContext, CommandError } from './context.ts';

/** Lets `fill` write to a folder that appears as `to` in one step or not at all. `to` must be empty or new, and outside `outside`. */
export async function fillNewFolder<Result>(
  context: CliContext,
  { to, outside }: { to: string; outside: string },
  fill: (staging: string) => Promise<Result>,
): Promise<Result> {
  await requireFree(to, outside);
  const staging = `${to}.canonry-${process.pid}.tmp`;
  try {
    const result = await fill(staging);
    await mkdir(staging, { recursive: true });
    await rename(staging, to);
    return result;
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    context.stop.throwIfAborted();
    throw new CommandError(`the export failed, and ${to} was not made: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function requireFree(to: string, root: string): Promise<void> {
  if (!relative(root, to).startsWith('..'))
    throw new CommandError(`${to} lies in the content folder itself: name a folder outside ${root}`);
  const entries = await readdir(to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new CommandError(`${to} cannot be used: ${error.message}`);
  });
  if (entries.length > 0)
    throw new CommandError(
      `${to} is not empty, and nothing in it was changed: name an empty or a new folder`,
    );
}
