import { readFileSync } from 'node:fs';

const read = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};

/** State and start time, the 3rd and 22nd fields; the 2nd is a name in parentheses that may contain anything. */
function statOf(pid: number): { state: string; started: string } | null {
  const fields = read(`/proc/${pid}/stat`)
    ?.replace(/^.*\)\s/s, '')
    .split(' ');
  return fields?.[0] && fields[19] ? { state: fields[0], started: fields[19] } : null;
}

/** A zombie is not alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return statOf(pid)?.state !== 'Z';
}

/** Tells a process from a later one with the same number; null if the system does not provide that. */
export function identityOf(pid: number): string | null {
  const boot = read('/proc/sys/kernel/random/boot_id')?.trim();
  const stat = statOf(pid);
  return boot && stat ? `${pid} ${boot} ${stat.started}` : null;
}
