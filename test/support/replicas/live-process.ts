import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ServiceProcess, startServiceProcess } from '../service-process.ts';

const CLOCK = fileURLToPath(new URL('./skewed-clock.ts', import.meta.url));

/** A process that is killed and started again, with a clock of its own and a folder, which outlives it. */
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
    /** What it has said since it was started. */
    output: (): string => service?.output() ?? '',
    /** Null while it does not run. */
    url: (): string | null => service?.url ?? null,
    /** Resolves once it runs, if it does not. */
    async running(): Promise<string> {
      await up;
      if (service === null) throw new Error('the service is not running');
      return service.url;
    },
    /** Killed, and started again; who kills it while it comes up waits for that. */
    restart(): Promise<void> {
      const killed = service;
      if (killed === null) return up;
      service = null;
      up = killed.end('SIGKILL').then(start);
      return up;
    },
    /** Its clock is ahead from now on, or behind. */
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
