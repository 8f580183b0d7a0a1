import type { Stream, WasiOptions } from './wasi-options.ts';

const ROOM = 65_536n;
const closed = () => Object.assign(new Error('closed'), { payload: { tag: 'closed' } });

class IoError {
  toDebugString(): string {
    return 'closed';
  }
}

class InputStream {
  read(): never {
    throw closed();
  }
  blockingRead(): never {
    throw closed();
  }
  skip(): never {
    throw closed();
  }
  blockingSkip(): never {
    throw closed();
  }
  subscribe(): Pollable {
    return new Pollable();
  }
}

/** Ready at once, unless it is one that waits for a time. */
class Pollable {
  ready(): boolean {
    return true;
  }
  block(): void {}
}

class TerminalInput {}
class TerminalOutput {}

/** An empty input, and outputs that go to the log. */
export function createWasiStreams({
  elapsed,
  sleep,
  write,
}: Pick<WasiOptions, 'elapsed' | 'sleep' | 'write'>) {
  class OutputStream {
    readonly #stream: Stream;

    constructor(stream: Stream) {
      this.#stream = stream;
    }
    checkWrite(): bigint {
      return ROOM;
    }
    write(bytes: Uint8Array): void {
      write(this.#stream, bytes);
    }
    blockingWriteAndFlush(bytes: Uint8Array): void {
      write(this.#stream, bytes);
    }
    flush(): void {}
    blockingFlush(): void {}
    writeZeroes(): void {}
    blockingWriteZeroesAndFlush(): void {}
    splice(): never {
      throw closed();
    }
    blockingSplice(): never {
      throw closed();
    }
    subscribe(): Pollable {
      return new Pollable();
    }
  }

  class Timer extends Pollable {
    readonly #at: number;

    constructor(at: number) {
      super();
      this.#at = at;
    }
    override ready(): boolean {
      return elapsed() >= this.#at;
    }
    override block(): void {
      while (!this.ready()) sleep(this.#at - elapsed());
    }
  }

  const milliseconds = (nanoseconds: bigint): number => Number(nanoseconds) / 1_000_000;

  return {
    streams: { errors: { Error: IoError }, streams: { InputStream, OutputStream } },
    poll: {
      Pollable,
      poll(list: readonly Pollable[]): Uint32Array {
        while (!list.some((one) => one.ready())) sleep(1);
        return Uint32Array.from(list.flatMap((one, at) => (one.ready() ? at : [])));
      },
    },
    clock: {
      subscribeDuration: (duration: bigint) => new Timer(elapsed() + milliseconds(duration)),
      subscribeInstant: (instant: bigint) => new Timer(milliseconds(instant)),
    },
    standard: {
      'wasi:cli/stdin': { getStdin: () => new InputStream() },
      'wasi:cli/stdout': { getStdout: () => new OutputStream('out') },
      'wasi:cli/stderr': { getStderr: () => new OutputStream('err') },
    },
    terminals: {
      'wasi:cli/terminal-input': { TerminalInput },
      'wasi:cli/terminal-output': { TerminalOutput },
      'wasi:cli/terminal-stdin': { getTerminalStdin: () => undefined },
      'wasi:cli/terminal-stdout': { getTerminalStdout: () => undefined },
      'wasi:cli/terminal-stderr': { getTerminalStderr: () => undefined },
    },
  };
}
