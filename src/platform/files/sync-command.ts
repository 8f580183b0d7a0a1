import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** Answers each line, a path, with `done` or `failed`; ends with the process that started it. */
const SCRIPT = 'while IFS= read -r path; do sync --file-system "$path" && echo done || echo failed; done';

interface Shell {
  ask(path: string): void;
  /** Keeps this process alive for an answer, or lets it end. */
  hold(isHeld: boolean): void;
}

/**
 * Node has no call that syncs a whole file system. A single shell runs the command, since starting another process from one
 * of this size takes 10 ms of the main thread.
 */
export function createSyncCommand(): (path: string) => Promise<void> {
  let shell: Shell | undefined;
  const waiting: PromiseWithResolvers<void>[] = [];

  function answer(line: string): void {
    const asked = waiting.shift();
    if (waiting.length === 0) shell?.hold(false);
    if (line === 'done') asked?.resolve();
    else asked?.reject(new Error('the file system could not be synced as a whole'));
  }

  function over(): void {
    shell = undefined;
    while (waiting.length > 0) answer('failed');
  }

  return async (path) => {
    if (path.includes('\n')) throw new Error('a path of several lines cannot be named');
    // This must come first: if no process can be started it throws, and answers are matched to callers in their order.
    shell ??= startShell(answer, over);
    const asked = Promise.withResolvers<void>();
    waiting.push(asked);
    shell.hold(true);
    shell.ask(path);
    return asked.promise;
  };
}

function startShell(onAnswer: (line: string) => void, onOver: () => void): Shell {
  const child = spawn('sh', ['-c', SCRIPT], { stdio: ['pipe', 'pipe', 'ignore'] });
  let isOver = false;
  const over = () => {
    if (!isOver) onOver();
    isOver = true;
  };
  child.on('error', over).on('close', over);
  child.stdin.on('error', over);
  // Output after its end would answer callers of the next shell.
  createInterface(child.stdout).on('line', (line) => isOver || onAnswer(line));
  const handles = [child, ...[child.stdin, child.stdout].filter((pipe) => pipe instanceof Socket)];
  return {
    ask: (path) => child.stdin.write(`${path}\n`),
    hold(isHeld) {
      for (const handle of handles) isHeld ? handle.ref() : handle.unref();
    },
  };
}
