import { randomInt } from 'node:crypto';
import { accessSync, constants, globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';

const EXTRA_FOLDERS = [
  '/usr/lib/postgresql/*/bin',
  '/usr/sbin',
  '/opt/homebrew/opt/{postgresql*,redis}/bin',
  '/usr/local/opt/{postgresql*,redis}/bin',
];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The folder that holds all of these programs: first those of PATH, then the usual places, newest version first. */
export function findPrograms(searchPath: string | undefined, ...names: string[]): string | undefined {
  const folders = [
    ...(searchPath ?? '').split(delimiter),
    ...EXTRA_FOLDERS.flatMap((pattern) => globSync(pattern).sort().reverse()),
  ];
  return folders.find((folder) => names.every((name) => isExecutable(join(folder, name))));
}

/** A TCP port that was free a moment ago, below the range that systems assign from, so that nobody else is likely to take it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'EADDRINUSE' || code === 'EACCES') resolve(false);
      else reject(new Error(`no port can be had on 127.0.0.1: ${code}`));
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

export interface SystemUser {
  uid: number;
  gid: number;
}

/** The user for a server that refuses to run as root: `name`, or else `nobody`. Undefined if we are not root ourselves. */
export function unprivilegedUser(name: string): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = [name, 'nobody'].flatMap((wanted) => users.filter(([known]) => known === wanted))[0];
  if (!user) throw new Error(`${name} does not run as root, and there is no user ${name} or nobody`);
  return { uid: Number(user[2]), gid: Number(user[3]) };
}
