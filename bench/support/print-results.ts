/** Runs the benchmark in the given file and prints its results as JSON. */
const { run } = (await import(process.argv[2] ?? '')) as { run(args: readonly string[]): Promise<unknown> };
console.log(JSON.stringify(await run([])));
