import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ServiceProcess, startServiceProcess } from '../service-process.ts';

const CLOCK = fileURLToPath(new URL('./skewed-clock.ts', import.meta.url));

/** It can be killed and restarted; clock and folder outlive it. */
export async function startLiveProcess(
  envIn: (folder: string) => Record<string, string>,
  options: readonly string[] = [],
) {
  const folder = mkdtempSync(join(tmpdir(), 'replica-'));
  const skew = join(folder, 'skew');
  let service: ServiceProcess | null = null;
  let up = Promise.resolve();
  writeFileSync(skew, '0');

  async function start(): Promise<void> {
    const env = { ...envIn(folder), NODE_OPTIONS: `--import=${CLOCK}`, SKEW_FILE: skew };
    service = await startServiceProcess(env, options);
  }

  await start();
  return {
    folder,
    /** Since the last start. */
    output: (): string => service?.output() ?? '',
    /** Null while it does not run. */
    url: (): string | null => service?.url ?? null,
    /** Starts it if necessary. */
    async running(): Promise<string> {
      await up;
      if (service === null) throw new Error('the service is not running');
      return service.url;
    },
    /** A kill during the start waits until it is up. */
    restart(): Promise<void> {
      const killed = service;
      if (killed === null) return up;
      service = null;
      up = killed.end('SIGKILL').then(start);
      return up;
    },
    /** Ahead or back. */
    async jump(milliseconds: number): Promise<void> {
      writeFileSync(skew, String(milliseconds));
      await up;
      service?.process.kill('SIGUSR2');
    },
    async close(): Promise<void> {
      await up;
      await service?.end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type LiveProcess = Awaited<ReturnType<typeof startLiveProcess>>;
