import { randomUUID } from 'node:crypto';
import type { Change } from '../../../src/exchange/sync/index.ts';
import type { TestCore } from '../core.ts';
import { createRandom, createStreams, type Random } from '../replica/random.ts';
import { type Book, createBook } from '../replica/words.ts';
import { createEdits, wordsIn } from '../replicas/edits.ts';
import type { Journal } from '../replicas/journal.ts';
import { createBackups } from './backups.ts';
import { differing, endOf } from './end-of-case.ts';
import { type EngineInstall, startEngineInstall } from './engine-install.ts';
import { createLife, type Life } from './life.ts';
import { createMemoryReplica, type MemoryOptions, type MemoryReplica } from './memory-replica.ts';
import { noted, shownChange } from './noted-replica.ts';
import { overWire } from './wire.ts';

const FAULTS = 0.1;
const BACKUPS = 0.2;

export interface CaseOptions extends MemoryOptions {
  /** Also moves files and folders on disk, and swaps ids. */
  moves?: boolean;
  /** Also brings back backups of the replica. */
  backups?: boolean;
}

interface Side extends EngineInstall {
  life: Life;
}

/**
 * One random history, determined by the seed, of two projects and one replica: edits on all three, requests lost, repeated
 * and late, processes that die before any write. Null if all ended well, else the reason.
 */
async function playEngineCase(
  core: TestCore,
  seed: number,
  options: CaseOptions & { journal: Journal },
): Promise<string | null> {
  const { random, apart } = createStreams(createRandom(seed));
  const book = createBook();
  const edits = createEdits({ random, book });
  const { journal } = options;
  const replica = createMemoryReplica(options);
  let faults = 0;
  const late: (readonly Change[])[] = [];
  const start = async (at: number): Promise<Side> => {
    const name = `install ${at}`;
    const life = createLife((where) => journal.note(name, 'dies', { where }));
    const open = () =>
      overWire(
        noted(
          replica.open((path) => install.disk.read(path)),
          { name, journal },
        ),
        {
          random,
          faults: () => faults,
          life,
          late,
          meanwhile,
        },
      );
    const install: EngineInstall = await startEngineInstall(core, {
      name,
      projectId: `engine-${randomUUID().slice(0, 13)}-${at}`,
      open,
      life,
    });
    return { ...install, life };
  };
  const installs = [await start(0), await start(1)] as const;
  const editOn = (install: EngineInstall, isMove = options.moves === true && random.chance(0.3)) => {
    const place = { node: { disk: () => install.disk }, project: '' };
    const before = install.disk.tree();
    if (isMove) edits.moveOnDisk(place);
    else edits.onDisk(place);
    journal.note(install.name, 'edited', differing(before, install.disk.tree()));
  };
  const editThere = () => {
    const before = replica.tree();
    editReplica(replica, random, book);
    journal.note('replica', 'edited', differing(before, replica.tree()));
  };
  const replayOne = () => {
    const changes = late.splice(random.integer(late.length + 1), 1)[0] ?? [];
    journal.note('replica', 'gets late', {
      changes: changes.map(shownChange),
      outcomes: replica.put(changes),
    });
  };
  const meanwhile = () => {
    if (random.chance(faults)) editOn(random.pick(installs), false);
    if (random.chance(faults)) editThere();
  };
  const round = ({ name, project, sync, life }: Side) =>
    apart(async () => {
      life.begin(random, faults / 8);
      const isUsual = random.chance(0.5);
      journal.note(name, 'begins a round', { isUsual });
      const result = await (isUsual ? sync.syncNow(project) : sync.pushAll(project, { force: true })).catch(
        String,
      );
      journal.note(name, 'ends the round', { result });
      life.end();
    });

  for (const [path, text] of edits.beginning()) for (const { disk } of installs) disk.write(path, text);
  await apart(async () => {
    for (const { look, sync, project } of installs) {
      await look();
      await sync.pushAll(project, { force: true });
    }
  });
  const backUpOrBringBack = createBackups({ installs, replica, book, journal });
  faults = FAULTS;
  for (let steps = 6 + random.integer(10); steps > 0; steps -= 1) {
    const install = random.pick(installs);
    const what = random.integer(8);
    if (options.backups && random.chance(BACKUPS)) backUpOrBringBack();
    else if (what === 0) editThere();
    else if (what === 1) replayOne();
    else if (what < 5) editOn(install);
    else {
      if (random.chance(0.7)) await install.look();
      await round(install);
    }
  }
  faults = 0;
  const end = await endOf(installs, { replica, book, journal });
  const unforeseen = installs.flatMap(({ errors }) => errors)[0];
  for (const install of installs) await install.close();
  return end ?? unforeseen ?? null;
}

export const engineCases =
  (options: CaseOptions) =>
  (core: TestCore, seed: number, journal: Journal): Promise<string | null> =>
    playEngineCase(core, seed, { ...options, journal });

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
