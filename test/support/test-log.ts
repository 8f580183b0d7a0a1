import { type Log, silentLog } from '../../src/kit/log.ts';

/** Errors appear beside a test's failure, unless the test expects them. */
export function createTestLog() {
  const expected: { pattern: RegExp; seen: string[] }[] = [];
  const error = (message: string) => {
    const known = expected.find(({ pattern }) => pattern.test(message));
    if (known) known.seen.push(message);
    else process.stderr.write(`${message}\n`);
  };
  const warnings: string[] = [];
  const log: Log & { flush(): Promise<void> } = {
    ...silentLog,
    error,
    warn: (message) => void warnings.push(message),
    child: () => log,
    flush: async () => {},
  };
  return {
    log,
    warnings,
    /** From now on, matching errors go into the returned list. */
    expectErrors(pattern: RegExp): string[] {
      const seen: string[] = [];
      expected.push({ pattern, seen });
      return seen;
    },
  };
}
