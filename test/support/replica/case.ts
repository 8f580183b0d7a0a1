import { createRandom, type Random } from './random.ts';
import { createSimulatedHub, FILE, type HubOptions, type Push, pushOf } from './simulated-hub.ts';
import { createSimulatedInstall, emptyDisk, type Wire } from './simulated-install.ts';
import { type Book, createBook, LINES, linesOf } from './words.ts';

const KEYS = ['ada', 'bo', 'cy', `${FILE}notes`, `${FILE}rules`];
/** Once nothing is lost any more, each installation must be in sync after this many. */
const MOST_ROUNDS = 4;

class Fault extends Error {}

/** A random edit; undefined: leave it. */
function change(random: Random, book: Book, key: string, text: string | undefined): string | undefined {
  const lines = text === undefined ? [] : linesOf(text);
  if (random.chance(0.2)) {
    book.drop(...lines);
    return undefined;
  }
  if (key.startsWith(FILE)) return book.write(...lines);
  if (lines.length === 0) return Array.from({ length: LINES }, () => book.write()).join('\n');
  const at = random.integer(LINES);
  return lines.map((line, place) => (place === at ? book.write(line) : line)).join('\n');
}

/**
 * One random history, determined by the seed, of two installations and a hub: edits on all three, messages lost, repeated
 * and late, processes that die between any two writes. Null if all ended well, else the reason.
 */
export function runReplicaCase(seed: number, options: HubOptions = {}): string | null {
  const random = createRandom(seed);
  const book = createBook();
  const hub = createSimulatedHub(options);
  const late: (readonly Push[])[] = [];
  let faults = 0.12;

  function editHub(): void {
    const key = random.pick(KEYS);
    const item = hub.pull(0).items.find((each) => each.key === key);
    const state = { synced: item?.text, version: item?.version ?? 0, sent: undefined };
    hub.push([pushOf(key, change(random, book, key, item?.text), state)]);
  }

  function createInstall() {
    const disk = emptyDisk();
    const edit = () => {
      const key = random.pick([...KEYS, ...disk.tree.keys()]);
      const text = change(random, book, key, disk.tree.get(key));
      if (text === undefined) disk.tree.delete(key);
      else disk.tree.set(key, text);
    };
    const mayFail = () => {
      if (random.chance(faults)) throw new Fault();
    };
    const meanwhile = () => {
      if (random.chance(faults)) edit();
      if (random.chance(faults)) editHub();
    };
    const wire: Wire = {
      push(pushes) {
        if (random.chance(faults)) late.push(pushes);
        mayFail();
        if (random.chance(faults)) hub.push(pushes);
        meanwhile();
        const replies = hub.push(pushes);
        meanwhile();
        mayFail();
        return replies;
      },
      pull(cursor) {
        mayFail();
        const reply = hub.pull(cursor);
        meanwhile();
        mayFail();
        return reply;
      },
    };
    const step = () => {
      if (random.chance(faults / 6)) throw new Fault();
    };
    const { round } = createSimulatedInstall(disk, wire, step);
    return { disk, edit, round };
  }

  const installs = [createInstall(), createInstall()] as const;
  const attempt = (round: () => unknown) => {
    try {
      round();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
    }
  };

  for (let at = 6 + random.integer(10); at > 0; at -= 1) {
    const install = random.pick(installs);
    const what = random.integer(8);
    if (what === 0) editHub();
    else if (what === 1) hub.push(late.splice(random.integer(late.length + 1), 1)[0] ?? []);
    else if (what < 5) install.edit();
    else attempt(install.round);
  }

  faults = 0;
  for (let round = 0; round < MOST_ROUNDS; round += 1) for (const install of installs) install.round();

  const shown = (tree: ReadonlyMap<string, string>) => JSON.stringify([...tree].sort());
  const before = shown(hub.tree());
  for (const { disk, round } of installs) {
    if (shown(disk.tree) !== before) return `differ: ${shown(disk.tree)} and ${before}`;
    if (disk.inbox.size > 0) return `left in an inbox: ${[...disk.inbox.keys()]}`;
    if (round().sent > 0) return 'not quiet: one more round sent something';
  }
  if (shown(hub.tree()) !== before) return 'not quiet: one more round changed something';

  const present = [...hub.tree().values(), ...hub.kept()].flatMap(linesOf);
  const accounted = book.accountedFor(present);
  const lost = book.words().filter((word) => !accounted.has(word));
  return lost.length > 0 ? lostBy(lost) : null;
}

const lostBy = (words: readonly string[]): string => `lost: ${words.join(', ')}`;
