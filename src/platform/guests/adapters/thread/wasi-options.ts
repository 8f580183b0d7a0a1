export type Stream = 'out' | 'err';

export interface WasiOptions {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since any moment. */
  elapsed(): number;
  sleep(ms: number): void;
  random(bytes: Uint8Array<ArrayBuffer>): void;
  write(stream: Stream, bytes: Uint8Array): void;
}
