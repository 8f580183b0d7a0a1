import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Death } from './mortal.ts';
import { NO_LIMITS } from './no-limits.ts';

/** The sources, or the bundle if the test command has built it: it loads in two thirds of the time. */
export const MAIN =
  process.env.CANONRY_TEST_PROGRAM ?? fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const MORTAL = fileURLToPath(new URL('./mortal.ts', import.meta.url));
const START_DEADLINE_MS = 60_000;

/** Passes on the compile cache of the test run. */
export const processEnv = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
});

export interface ServiceProcess {
  url: string;
  process: ChildProcess;
  output(): string;
  /** Resolves to the exit code (null after a kill). */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null>;
}

export interface MortalService extends ServiceProcess {
  /** `kill -9` once this many more entries have appeared below a folder. */
  dieAfter(entries: number, below: string): Promise<void>;
}

/** On a free port; resolves once it listens. */
export const startServiceProcess = (
  env: Record<string, string>,
  options: readonly string[] = [],
): Promise<ServiceProcess> => listening(spawnService(env, options, { isMortal: false }));

/** The test chooses the step at which it dies. */
export async function startMortalService(env: Record<string, string>): Promise<MortalService> {
  const service = await listening(spawnService(env, [], { isMortal: true }));
  return {
    ...service,
    async dieAfter(entries, below) {
      const heard = once(service.process, 'message');
      const death: Death = { after: entries, below };
      service.process.send(death);
      await heard;
    },
  };
}

function spawnService(
  env: Record<string, string>,
  options: readonly string[],
  { isMortal }: { isMortal: boolean },
): ChildProcess {
  const flags = isMortal ? ['--import', MORTAL] : [];
  return spawn(process.execPath, [...flags, MAIN, 'serve', '--provision', ...options], {
    env: { ...processEnv(), BIND_ADDR: '127.0.0.1:0', ...NO_LIMITS, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(isMortal ? (['ipc'] as const) : [])],
  });
}

async function listening(child: ChildProcess): Promise<ServiceProcess> {
  let output = '';
  const { promise: url, resolve, reject } = Promise.withResolvers<string>();
  const listen = (chunk: Buffer) => {
    output += chunk;
    const found = /listening on (http:\/\/\S+)/.exec(output)?.[1];
    if (found) resolve(found);
  };
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);
  child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${output}`)));
  const timer = setTimeout(
    () => reject(new Error(`the service did not start: ${output}`)),
    START_DEADLINE_MS,
  );
  const address = await url.finally(() => clearTimeout(timer));
  return {
    url: address,
    process: child,
    output: () => output,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      child.kill(signal);
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
  };
}
