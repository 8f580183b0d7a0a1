import type { wasiInterfaces } from '../component/imports.ts';
import { createWasiFiles } from './wasi-files.ts';
import type { WasiOptions } from './wasi-options.ts';
import { createWasiStreams } from './wasi-streams.ts';

type WasiImports = Record<(typeof wasiInterfaces)[number], Record<string, unknown>>;

const MOST_RANDOM_BYTES = 65_536n;
const NANOSECONDS = 1_000_000n;

/**
 * The part of WASI 0.2 that toolchains need to run at all: a clock of milliseconds, chance, and streams into the log. No files, no variables,
 * no arguments, no input.
 */
export function createWasi({ now, elapsed, sleep, random, write }: WasiOptions): WasiImports {
  const { streams, poll, clock, terminals, standard } = createWasiStreams({ elapsed, sleep, write });

  function randomBytes(length: bigint): Uint8Array {
    if (length > MOST_RANDOM_BYTES) throw new Error(`at most ${MOST_RANDOM_BYTES} random bytes at once`);
    const bytes = new Uint8Array(Number(length));
    random(bytes);
    return bytes;
  }

  function randomNumber(): bigint {
    return new DataView(randomBytes(8n).buffer).getBigUint64(0);
  }

  return {
    'wasi:cli/environment': {
      getEnvironment: () => [],
      getArguments: () => [],
      initialCwd: () => undefined,
    },
    'wasi:cli/exit': {
      exit() {
        throw new Error('the guest exited');
      },
    },
    ...standard,
    ...terminals,
    'wasi:clocks/monotonic-clock': {
      now: () => BigInt(Math.floor(elapsed())) * NANOSECONDS,
      resolution: () => NANOSECONDS,
      ...clock,
    },
    'wasi:clocks/wall-clock': {
      now: () => ({ seconds: BigInt(Math.floor(now() / 1000)), nanoseconds: (now() % 1000) * 1_000_000 }),
      resolution: () => ({ seconds: 0n, nanoseconds: 1_000_000 }),
    },
    ...createWasiFiles(),
    'wasi:io/error': streams.errors,
    'wasi:io/poll': poll,
    'wasi:io/streams': streams.streams,
    'wasi:random/insecure': { getInsecureRandomBytes: randomBytes, getInsecureRandomU64: randomNumber },
    'wasi:random/insecure-seed': { insecureSeed: () => [randomNumber(), randomNumber()] },
    'wasi:random/random': { getRandomBytes: randomBytes, getRandomU64: randomNumber },
  };
}
