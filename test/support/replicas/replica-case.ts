import { createRandom } from '../replica/random.ts';
import { createBook } from '../replica/words.ts';
import { createEdits } from './edits.ts';
import { createJournal } from './journal.ts';
import { keepHistory } from './keep-history.ts';
import type { LiveNode } from './live-node.ts';
import { lostWords } from './lost-words.ts';
import { notedTrio } from './noted-trio.ts';
import { settle } from './settle.ts';
import type { Trio } from './trio.ts';
import { wrongAncestor } from './wrong-ancestor.ts';

export interface CaseOptions {
  /** A fault to be found out: the cloud merges from a version that is not the ancestor. */
  wrongAncestor?: boolean;
  /** Also moves files and folders on disk, and swaps ids. */
  moves?: boolean;
}

export interface CaseEnd {
  /** Null if all ended well. */
  failure: string | null;
  kills: number;
  jumps: number;
}

const FAULTS = 0.3;
const KILLS = 0.3;
const LONGEST_WAIT_MS = 60;
const FARTHEST_JUMP_MS = 40 * 3_600_000;

const fails = (work: Promise<unknown>): Promise<unknown> => work.catch(() => {});

/**
 * One random history of a project, its decisions determined by the seed: edits in the cloud and on two installs, by API and
 * on disk, over a wire that loses, repeats and reorders, with killed processes, jumping clocks and missing folders.
 */
export async function runReplicaCase(trio: Trio, seed: number, options: CaseOptions = {}): Promise<CaseEnd> {
  const journal = createJournal();
  const noted = notedTrio(trio, journal);
  const { hub, installs, nodes, proxy } = noted;
  const disturbed = { kills: 0, jumps: 0 };
  const project = `case-${seed}`;
  const random = createRandom(seed);
  const book = createBook();
  const edits = createEdits({ random, book });
  for (const [path, text] of edits.beginning())
    for (const node of nodes) node.disk(project).write(path, text);
  const rewrite = options.wrongAncestor ? wrongAncestor(hub.disk(project)) : undefined;
  const wire = proxy.open(project, {
    random: createRandom(seed + 0x5eed),
    tell: journal.note,
    ...(rewrite && { rewrite }),
  });

  const sync = (node: LiveNode, force = true) =>
    node.call(project, 'POST', '/api/cloud-sync/push', { force });

  async function kill(): Promise<void> {
    disturbed.kills += 1;
    const node = random.pick(nodes);
    const atWork = fails(sync(random.pick(installs)));
    await new Promise((resolve) => setTimeout(resolve, random.integer(LONGEST_WAIT_MS)));
    const back = node.restart();
    edits.onDisk({ node, project });
    await Promise.all([back, atWork]);
  }

  function jump(node: LiveNode): Promise<void> {
    disturbed.jumps += 1;
    return node.jump(random.integer(2 * FARTHEST_JUMP_MS) - FARTHEST_JUMP_MS);
  }

  async function disturb(node: LiveNode): Promise<void> {
    if (random.chance(KILLS)) await kill();
    else if (random.chance(0.5)) await jump(node);
    else await node.disk(project).without(() => fails(sync(random.pick(installs), false)));
  }

  await Promise.all(installs.map((node) => fails(sync(node))));
  wire.lose(FAULTS);
  for (let steps = 4 + random.integer(6); steps > 0; steps -= 1) {
    const node = random.pick(nodes);
    const what = random.integer(12);
    if (what < 3) await edits.byApi({ node, project });
    else if (what < 6) edits.onDisk({ node, project });
    else if (what < 8) (options.moves ? edits.moveOnDisk : edits.onDisk)({ node, project });
    else if (what < 11) await fails(sync(random.pick(installs)));
    else await disturb(node);
  }

  await wire.calm();
  const failure = (await settle(noted, project)) ?? (await lostWords(noted, project, book));
  wire.close();
  // A history that has to fail needs no explanation.
  if (failure === null || options.wrongAncestor) return { ...disturbed, failure };
  const kept = await keepHistory(noted, { project, journal, failure });
  return { ...disturbed, failure: `${failure} (all of it in ${kept})` };
}
