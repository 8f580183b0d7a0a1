import { join } from 'node:path';
import { callerOf, signIn } from '../service-client.ts';
import { createDisk, type Disk } from './disk.ts';
import { type LiveProcess, startLiveProcess } from './live-process.ts';
import { projectRows } from './project-rows.ts';

/** A service of its own, or a whole cloud. */
export interface LiveNode {
  name: string;
  /** May do everything. */
  key: string;
  /** Null while nothing runs there. */
  url(path: string): string | null;
  disk(project: string): Disk;
  /** Waits until it runs; rejects if it is killed meanwhile. */
  call<Body>(project: string, method: string, path: string, body?: object): Promise<Body>;
  /** Kills one of its processes and starts it again. */
  restart(): Promise<void>;
  /** By milliseconds, ahead or back. */
  jump(milliseconds: number): Promise<void>;
  /** By table. */
  rows(project: string): Promise<Record<string, unknown[]>>;
  /** Since the last start. */
  output(): string;
  close(): Promise<void>;
}

/** In turns. */
export function nodeOf(
  processes: readonly [LiveProcess, ...LiveProcess[]],
  {
    name,
    key,
    databaseUrl,
    folderOf,
  }: { name: string; key: string; databaseUrl: string; folderOf: (project: string) => string },
): LiveNode {
  let turn = 0;
  const next = (): LiveProcess => {
    turn += 1;
    return processes[turn % processes.length] ?? processes[0];
  };
  const all = async (work: (process: LiveProcess) => Promise<void>) => {
    await Promise.all(processes.map(work));
  };
  return {
    name,
    key,
    url: () => next().url(),
    disk: (project) => createDisk(folderOf(project)),
    async call<Body>(project: string, method: string, path: string, body?: object): Promise<Body> {
      const url = await next().running();
      return callerOf(url, key, { 'x-project-id': project })<Body>(method, path, body);
    },
    restart: () => next().restart(),
    jump: (milliseconds) => all((process) => process.jump(milliseconds)),
    rows: (project) => projectRows(databaseUrl, project),
    output: () => processes.map((process) => process.output()).join('\n'),
    close: () => all((process) => process.close()),
  };
}

const dataIn = (folder: string): string => join(folder, 'data');

/** Keeps everything in its own folder. */
export async function startLiveNode(name: string, env: Record<string, string> = {}): Promise<LiveNode> {
  const process = await startLiveProcess((folder) => ({
    DATA_DIR: dataIn(folder),
    ...env,
  }));
  const { call } = await signIn({ url: await process.running() }, 'register');
  const { key } = await call<{ key: string }>('POST', '/api/api-keys', { name, scopes: ['admin'] });
  return nodeOf([process], {
    name,
    key,
    databaseUrl: `sqlite:${join(dataIn(process.folder), 'canonry.db')}`,
    folderOf: (project) => join(dataIn(process.folder), 'projects', project),
  });
}
