import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Journal } from './journal.ts';
import type { Trio } from './trio.ts';

/** Outside the test command's temporary folder, which is removed when it ends. */
const KEPT_IN = '/tmp/canonry-replicas-';

/** Everything known of a history: its events, and each node's files, recycle bin and rows. Resolves to the folder. */
export async function keepHistory(
  { nodes }: Trio,
  { project, journal, failure }: { project: string; journal: Journal; failure: string },
): Promise<string> {
  const folder = mkdtempSync(`${KEPT_IN}${project}-`);
  writeFileSync(join(folder, 'failure.txt'), `${failure}\n`);
  writeFileSync(join(folder, 'journal.jsonl'), journal.lines());
  for (const node of nodes) {
    const own = join(folder, node.name);
    mkdirSync(own);
    node.disk(project).copyTo(join(own, 'files'));
    writeFileSync(join(own, 'output.txt'), node.output());
    const rows = await node.rows(project);
    for (const [table, found] of Object.entries(rows))
      writeFileSync(join(own, `${table}.jsonl`), found.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
  return folder;
}
