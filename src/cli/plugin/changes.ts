import { setTimeout as pause } from 'node:timers/promises';
import { watchFolder } from '../../surfaces/plugin-tools.ts';
import { CommandError } from '../context.ts';

/** Editors write several files, and some a file several times. */
const CALM_MS = 60;
/** A build and a pack write these themselves. */
const MADE = /^dist(?:\/|$)|\.zip$/;

/** Yields once at first, and then after each group of changes in a folder of a plugin, until `stop`. */
export async function* changesIn(folder: string, stop: AbortSignal): AsyncGenerator<void> {
  const watcher = watchFolder(folder);
  let hint = Promise.withResolvers<void>();
  stop.addEventListener('abort', () => hint.resolve());
  await watcher.start(
    (paths) => {
      if (paths.some((path) => !MADE.test(path))) hint.resolve();
    },
    () => hint.resolve(),
  );
  try {
    const { running, error } = watcher.status();
    if (!running) throw new CommandError(`${folder} cannot be watched: ${error}`);
    while (!stop.aborted) {
      yield;
      await hint.promise;
      await pause(CALM_MS, undefined, { signal: stop }).catch(() => {});
      hint = Promise.withResolvers();
    }
  } finally {
    await watcher.stop();
  }
}
