import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { identityOf, isAlive } from './process-identity.ts';

export class PidFileError extends Error {}

export interface PidFile {
  /** Only if it is still this process's. */
  release(): void;
}

interface Paths {
  /** Only the number, so that `kill $(cat canonry.pid)` works. */
  pid: string;
  /** The process's identity, since numbers are reused. */
  identity: string;
  /** Held briefly while a stale lock is removed. */
  takeover: string;
}

const ATTEMPTS = 200;
const BETWEEN_ATTEMPTS_MS = 15;
const STALE_TAKEOVER_MS = 10_000;

const pathsOf = (pid: string): Paths => ({ pid, identity: `${pid}.identity`, takeover: `${pid}.takeover` });

const hasCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code;

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** In one step; returns false if the file exists. */
function createWhole(path: string, text: string): boolean {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, `${text}\n`, { mode: 0o600, flag: 'wx' });
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function holderOf(paths: Paths): number | null {
  const text = readText(paths.pid);
  if (text === null || !/^\d+$/.test(text)) return null;
  const pid = Number(text);
  if (!isAlive(pid)) return null;
  const noted = readText(paths.identity);
  // A restarted container often runs under the same number as the last one.
  const isNoted = pid === process.pid || noted?.startsWith(`${pid} `);
  return isNoted && noted !== identityOf(pid) ? null : pid;
}

/** Removes a lock whose process is gone. Only one process at a time may do so, or one could remove a fresh lock. */
function removeStale(paths: Paths): void {
  if (!createWhole(paths.takeover, String(process.pid))) {
    const age = Date.now() - (statSync(paths.takeover, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > STALE_TAKEOVER_MS) rmSync(paths.takeover, { force: true });
    return;
  }
  try {
    if (holderOf(paths) !== null) return;
    rmSync(paths.identity, { force: true });
    rmSync(paths.pid, { force: true });
  } finally {
    rmSync(paths.takeover, { force: true });
  }
}

function hold(paths: Paths): PidFile {
  const own = String(process.pid);
  const identity = identityOf(process.pid);
  if (identity) writeFileSync(paths.identity, `${identity}\n`, { mode: 0o600 });
  return {
    release() {
      if (readText(paths.pid) !== own) return;
      rmSync(paths.identity, { force: true });
      rmSync(paths.pid, { force: true });
    },
  };
}

/**
 * Makes this process the only one on a data folder, which must exist. A lock whose process is gone is replaced. Throws a
 * PidFileError that names the holder.
 */
export async function acquirePidFile(path: string): Promise<PidFile> {
  const paths = pathsOf(path);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (createWhole(paths.pid, String(process.pid))) return hold(paths);
    const holder = holderOf(paths);
    if (holder !== null) {
      throw new PidFileError(
        `Process ${holder} already works on the data folder ${dirname(path)}. Stop it (kill ${holder}) or set another DATA_DIR`,
      );
    }
    removeStale(paths);
    if (attempt > 0) await wait(BETWEEN_ATTEMPTS_MS);
  }
  throw new PidFileError(`The lock ${paths.pid} cannot be taken over: remove it if no Canonry runs`);
}
