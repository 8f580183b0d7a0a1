import { runCli } from './cli/cli.ts';

/** A Ctrl-C reaches the process more than once within moments; only one this much later means "now". */
const IMPATIENT_AFTER_MS = 1_000;

/** Opened when it is read: an open standard input keeps nothing waiting. */
async function* stdin(): AsyncIterable<Uint8Array> {
  yield* process.stdin;
}

/** True once output was lost, since a reader may stop early, as `head` does. */
let lost = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  lost ||= error.code !== 'EPIPE';
});

const stop = new AbortController();
let asked = 0;
const onSignal = () => {
  if (stop.signal.aborted && Date.now() - asked > IMPATIENT_AFTER_MS) process.exit(1);
  if (stop.signal.aborted) return;
  asked = Date.now();
  stop.abort();
};
process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);

const code = await runCli(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  program: [process.execPath, process.argv[1] ?? ''],
  input: Object.assign(stdin(), { isTTY: process.stdin.isTTY }),
  out: process.stdout,
  err: process.stderr,
  stop: stop.signal,
});
// An exit drops what a slow reader of a pipe has not taken yet.
await Promise.all([process.stdout, process.stderr].map(written));
process.exit(lost ? 2 : code);

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => void stream.write('', () => resolve()));
}
