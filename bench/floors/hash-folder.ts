import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Reads and hashes every file below a folder in one pass on one thread. Prints the milliseconds taken, and those of CPU
 * time.
 */
const folders = [process.argv[2] ?? ''];
const [started, before] = [performance.now(), process.cpuUsage()];
const hashes: string[] = [];
for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
  for (const entry of readdirSync(at, { withFileTypes: true })) {
    const path = join(at, entry.name);
    if (entry.isDirectory()) folders.push(path);
    else hashes.push(createHash('sha256').update(readFileSync(path)).digest('hex'));
  }
}
const { user, system } = process.cpuUsage(before);
console.log(performance.now() - started, (user + system) / 1000);
