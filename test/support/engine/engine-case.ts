import { randomUUID } from 'node:crypto';
import type { Change } from '../../../src/exchange/sync/index.ts';
import type { TestCore } from '../core.ts';
import { createRandom, createStreams, type Random } from '../replica/random.ts';
import { type Book, createBook } from '../replica/words.ts';
import { createEdits, wordsIn } from '../replicas/edits.ts';
import { type EngineInstall, startEngineInstall } from './engine-install.ts';
import { createLife, type Life } from './life.ts';
import { createMemoryReplica, type MemoryOptions, type MemoryReplica } from './memory-replica.ts';
import { overWire } from './wire.ts';

/** Once nothing is lost any more, each install must be in sync after this many. */
const MOST_ROUNDS = 5;
const FAULTS = 0.1;

export interface CaseOptions extends MemoryOptions {
  /** Also moves files and folders on disk, and swaps ids. */
  moves?: boolean;
}

interface Side extends EngineInstall {
  life: Life;
}

/**
 * One random history, determined by the seed, of two projects and one replica: edits on all three, requests lost, repeated
 * and late, processes that die before any write. Null if all ended well, else the reason.
 */
export async function playEngineCase(
  core: TestCore,
  seed: number,
  options: CaseOptions = {},
): Promise<string | null> {
  const { random, apart } = createStreams(createRandom(seed));
  const book = createBook();
  const edits = createEdits({ random, book });
  const replica = createMemoryReplica(options);
  let faults = 0;
  const late: (readonly Change[])[] = [];
  const start = async (at: number): Promise<Side> => {
    const life = createLife();
    const install = await startEngineInstall(core, {
      name: `engine-${randomUUID().slice(0, 13)}-${at}`,
      open: () => overWire(replica.open(), { random, faults: () => faults, life, late, meanwhile }),
      life,
    });
    return { ...install, life };
  };
  const installs = [await start(0), await start(1)] as const;
  const editOn = (install: EngineInstall, isMove = options.moves === true && random.chance(0.3)) => {
    const place = { node: { disk: () => install.disk }, project: '' };
    if (isMove) edits.moveOnDisk(place);
    else edits.onDisk(place);
  };
  const meanwhile = () => {
    if (random.chance(faults)) editOn(random.pick(installs), false);
    if (random.chance(faults)) editReplica(replica, random, book);
  };
  const round = ({ project, sync, life }: Side) =>
    apart(async () => {
      life.begin(random, faults / 8);
      await (random.chance(0.5) ? sync.syncNow(project) : sync.pushAll(project, { force: true })).catch(
        () => {},
      );
      life.end();
    });

  for (const [path, text] of edits.beginning()) for (const { disk } of installs) disk.write(path, text);
  await apart(async () => {
    for (const { look, sync, project } of installs) {
      await look();
      await sync.pushAll(project, { force: true });
    }
  });
  faults = FAULTS;
  for (let steps = 6 + random.integer(10); steps > 0; steps -= 1) {
    const install = random.pick(installs);
    const what = random.integer(8);
    if (what === 0) editReplica(replica, random, book);
    else if (what === 1) replayOne(replica, random, late);
    else if (what < 5) editOn(install);
    else {
      if (random.chance(0.7)) await install.look();
      await round(install);
    }
  }
  faults = 0;
  const end = await endOf(installs, replica, book);
  const unforeseen = installs.flatMap(({ errors }) => errors)[0];
  for (const install of installs) await install.close();
  return end ?? unforeseen ?? null;
}

function replayOne(replica: MemoryReplica, random: Random, late: (readonly Change[])[]): void {
  replica.put(late.splice(random.integer(late.length + 1), 1)[0] ?? []);
}

/** A random edit in the replica. */
function editReplica(replica: MemoryReplica, random: Random, book: Book): void {
  const keys = replica.keys().filter((key) => replica.find(key) !== undefined);
  if (keys.length === 0) return;
  const key = random.pick(keys);
  const item = replica.find(key);
  if (item === undefined || !wordsIn(item.text).length) return;
  const base = {
    key,
    sha256: item.sha256,
    version: item.version,
    path: item.path,
    sent: null,
    dirty: 0,
    problem: null,
  };
  const shared = { base, keepsFolder: false };
  if (random.chance(0.15)) {
    book.drop(...wordsIn(item.text));
    replica.put([{ ...shared, local: undefined, content: null }]);
    return;
  }
  const old = random.pick(wordsIn(item.text));
  const text = item.text.replace(`${old}w`, `${book.write(old)}w`);
  replica.write(key, text);
}

async function endOf(
  installs: readonly EngineInstall[],
  replica: MemoryReplica,
  book: Book,
): Promise<string | null> {
  const shown = (tree: ReadonlyMap<string, string>) => JSON.stringify([...tree].sort());
  const isAlike = () => installs.every(({ disk }) => shown(disk.tree()) === shown(replica.tree()));
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const before = replica.size();
    for (const { look, sync, project } of installs) {
      await look();
      const { error } = await sync.pushAll(project, { force: true });
      if (error) return `round failed: ${error.code} ${error.message}`;
      await sync.pullAll(project, { force: true });
    }
    if (isAlike() && replica.size() === before) break;
  }
  for (const { disk, sync, project } of installs) {
    const difference = differing(disk.tree(), replica.tree());
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

const differing = (here: ReadonlyMap<string, string>, there: ReadonlyMap<string, string>) =>
  [...new Set([...here.keys(), ...there.keys()])]
    .filter((path) => here.get(path) !== there.get(path))
    .map((path) => ({ path, here: here.get(path) ?? null, there: there.get(path) ?? null }));
