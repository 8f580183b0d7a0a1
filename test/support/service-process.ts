import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const START_DEADLINE_MS = 30_000;

export interface ServiceProcess {
  url: string;
  process: ChildProcess;
  output(): string;
  /** Sends a signal and resolves to the exit code (null after a kill). */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null>;
}

/** Starts the service as its own process, from sources, on a free port; resolves once it listens. */
export async function startServiceProcess(env: Record<string, string>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [MAIN, 'serve', '--provision'], {
    env: {
      PATH: process.env.PATH,
      BIND_ADDR: '127.0.0.1:0',
      RATE_LIMIT_LOGIN: '0',
      RATE_LIMIT_ANONYMOUS: '0',
      RATE_LIMIT_USER: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const { promise: url, resolve, reject } = Promise.withResolvers<string>();
  const listen = (chunk: Buffer) => {
    output += chunk;
    const found = /listening on (http:\/\/\S+)/.exec(output)?.[1];
    if (found) resolve(found);
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
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
