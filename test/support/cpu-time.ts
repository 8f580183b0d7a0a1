/** Processor milliseconds of all threads of this process: other load on the machine does not count. */
export function cpuTimeSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Spent on `work`. */
export async function cpuTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return cpuTimeSince(before);
}
