import { type Syscalls, systemCalls } from '../../src/platform/files/syscalls.ts';

/** From here on nothing reaches the disk, not even cleaning up. */
class SimulatedCrash extends Error {
  constructor() {
    super('simulated crash');
    this.name = 'SimulatedCrash';
  }
}

export interface FaultPlan {
  /** Counted from 1 over the calls that change the disk; 0 never fails. */
  failAt: number;
  /** A system error's name, such as `ENOSPC`, for one failing call; `crash` for that call and all later ones. */
  failure: 'crash' | (string & {});
}

export interface FaultySyscalls {
  syscalls: Syscalls;
  /** The changing calls so far, in order, as `name` or `name path`. */
  trace: string[];
}

/** A failing write leaves half of its bytes behind. */
export function createFaultySyscalls({ failAt, failure }: FaultPlan): FaultySyscalls {
  const trace: string[] = [];
  let crashed = false;

  const step = (call: string, partly: () => void = () => {}) => {
    if (crashed) throw new SimulatedCrash();
    trace.push(call);
    if (trace.length !== failAt) return;
    partly();
    if (failure !== 'crash') throw Object.assign(new Error(failure), { code: failure });
    crashed = true;
    throw new SimulatedCrash();
  };
  const half = (fd: number, bytes: Uint8Array, offset: number) =>
    systemCalls.writeSync(fd, bytes.subarray(0, offset + Math.floor((bytes.length - offset) / 2)), offset);

  const syscalls: Syscalls = {
    ...systemCalls,
    openSync: (path, flags, mode) => {
      // Only an open that creates a file has a mode; every other open changes nothing.
      if (mode !== undefined) step(`open ${path}`);
      return systemCalls.openSync(path, flags, mode);
    },
    writeSync: (fd, bytes, offset) => {
      step('write', () => half(fd, bytes, offset));
      return systemCalls.writeSync(fd, bytes, offset);
    },
    write: async (fd, bytes, offset) => {
      step('write', () => half(fd, bytes, offset));
      return systemCalls.write(fd, bytes, offset);
    },
    fsyncSync: (fd) => {
      step(systemCalls.fstatSync(fd).isDirectory() ? 'fsync folder' : 'fsync file');
      systemCalls.fsyncSync(fd);
    },
    fsync: async (fd) => {
      step(systemCalls.fstatSync(fd).isDirectory() ? 'fsync folder' : 'fsync file');
      await systemCalls.fsync(fd);
    },
    syncFileSystem: async (path) => {
      step('sync file system');
      await systemCalls.syncFileSystem(path);
    },
    fchmodSync: (fd, mode) => {
      step('fchmod');
      systemCalls.fchmodSync(fd, mode);
    },
    mkdirSync: (path) => {
      step(`mkdir ${path}`);
      systemCalls.mkdirSync(path);
    },
    renameSync: (from, to) => {
      step(`rename ${to}`);
      systemCalls.renameSync(from, to);
    },
    linkSync: (from, to) => {
      step(`link ${to}`);
      systemCalls.linkSync(from, to);
    },
    unlinkSync: (path) => {
      step(`unlink ${path}`);
      systemCalls.unlinkSync(path);
    },
    unlink: async (path) => {
      step(`unlink ${path}`);
      await systemCalls.unlink(path);
    },
    rmdirSync: (path) => {
      step(`rmdir ${path}`);
      systemCalls.rmdirSync(path);
    },
    removeTree: async (path) => {
      step(`remove ${path}`);
      await systemCalls.removeTree(path);
    },
  };
  return { syscalls, trace };
}
