import type { Book } from '../replica/words.ts';
import { wordsIn } from '../replicas/edits.ts';
import type { Journal } from '../replicas/journal.ts';
import type { EngineInstall } from './engine-install.ts';

/** Of a replica, as far as the end of a case looks at it. */
export interface EndReplica {
  /** Latin1 by path. */
  tree(): Map<string, string>;
  /** Texts that are kept although they are not current. */
  kept(): string[];
  /** Grows with every change. */
  size(): number;
  /** True for a reason for which a file of the replica is on no disk. Each install must report it. */
  mayLeave?(reason: string): boolean;
}

/** Once nothing is lost any more, each install must be in sync after this many. */
const MOST_ROUNDS = 5;

/** Lets all sides settle. Null if they end the same and without a loss, else what is wrong. */
export async function endOf(
  installs: readonly EngineInstall[],
  { replica, book, journal }: { replica: EndReplica; book: Book; journal: Journal },
): Promise<string | null> {
  const shown = (tree: ReadonlyMap<string, string>) => JSON.stringify([...tree].sort());
  const leftBy = new Map<EngineInstall, Set<string>>();
  const treeFor = (install: EngineInstall) =>
    new Map([...replica.tree()].filter(([path]) => !leftBy.get(install)?.has(path)));
  const isAlike = () => installs.every((install) => shown(install.disk.tree()) === shown(treeFor(install)));
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const before = replica.size();
    for (const install of installs) {
      const { name, look, sync, project } = install;
      await look();
      const { error, left } = await sync.pushAll(project, { force: true });
      journal.note(name, 'settled', { round, left });
      const mayLeave = left.filter(({ reason }) => replica.mayLeave?.(reason));
      leftBy.set(install, new Set(mayLeave.map(({ key }) => key)));
      if (error) return `round failed: ${error.code} ${error.message}`;
      await sync.pullAll(project, { force: true });
    }
    if (isAlike() && replica.size() === before) break;
  }
  for (const install of installs) {
    const { disk, sync, project } = install;
    const difference = differing(disk.tree(), treeFor(install));
    if (difference.length > 0) return `differ: ${JSON.stringify(difference)}`;
    const { pending } = await sync.status(project);
    if (pending.to_push + pending.to_write > 0) return `left: ${JSON.stringify(pending)}`;
    const before = replica.size();
    const { requests, pushed, pulled } = await sync.syncNow(project);
    if (requests > 1 || pushed + pulled > 0 || replica.size() !== before)
      return `not quiet: ${JSON.stringify({ requests, pushed, pulled })}`;
  }
  const present = [
    ...replica.tree().values(),
    ...replica.kept(),
    ...installs.flatMap(({ disk }) => disk.recycled()),
  ];
  const accounted = book.accountedFor(present.flatMap(wordsIn));
  const missing = book.words().filter((word) => !accounted.has(word));
  return missing.length > 0 ? `lost: ${missing.join(', ')}` : null;
}

export const differing = (here: ReadonlyMap<string, string>, there: ReadonlyMap<string, string>) =>
  [...new Set([...here.keys(), ...there.keys()])]
    .filter((path) => here.get(path) !== there.get(path))
    .map((path) => ({ path, here: here.get(path) ?? null, there: there.get(path) ?? null }));
