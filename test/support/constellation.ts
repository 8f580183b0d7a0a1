import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { processEnv } from './service-process.ts';

const BUILD = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../dist/canonry.js', import.meta.url));

export interface RunningProcess {
  name: string;
  address: string;
  pid: number;
}

export interface Constellation {
  url: string;
  pid: number;
  process(name: string): RunningProcess;
  processes: RunningProcess[];
  /** To the supervisor; resolves to its exit code (null after a kill). */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null>;
}

/** Runs the built `canonry cloud`; resolves once everything serves. */
export async function startConstellation(
  t: TestContext,
  env: Record<string, string>,
): Promise<Constellation> {
  await promisify(execFile)(process.execPath, [BUILD]);
  const supervisor = spawn(process.execPath, [PROGRAM, 'cloud', '--json'], {
    env: { ...processEnv(), BIND_ADDR: '127.0.0.1:0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(supervisor, 'exit');
  const end = async (signal: NodeJS.Signals) => {
    supervisor.kill(signal);
    const [code] = (await exit) as [number | null];
    return code;
  };
  let out = '';
  let err = '';
  supervisor.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const whole = new Promise<void>((resolve) => {
    supervisor.stdout.on('data', (chunk) => {
      out += chunk;
      if (out.endsWith('\n}\n')) resolve();
    });
  });
  t.after(() => end('SIGKILL'));
  await Promise.race([whole, exit]);
  if (supervisor.exitCode !== null || out.includes('"error"')) throw new Error(out + err);
  const { listening, pid, processes } = JSON.parse(out) as {
    listening: string;
    pid: number;
    processes: RunningProcess[];
  };
  return {
    url: listening,
    pid,
    processes,
    process: (name) => {
      const found = processes.find((each) => each.name === name);
      if (!found) throw new Error(`no ${name} among ${out}`);
      return found;
    },
    end,
  };
}

/** True if something accepts connections there. */
export async function takesConnections(address: string): Promise<boolean> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}
