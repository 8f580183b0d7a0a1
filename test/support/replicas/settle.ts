import { askedUntil } from './asked-until.ts';
import { wordsIn } from './edits.ts';
import type { LiveNode } from './live-node.ts';
import type { Trio } from './trio.ts';

interface Round {
  error: { code: string; message: string } | null;
  pushed: number;
  pulled: number;
  deleted_here: number;
  deleted_in_cloud: number;
  held: { where: 'here' | 'in_the_cloud' } | null;
}

/** Once nothing is lost any more, each install must be in sync after this many. */
const MOST_ROUNDS = 6;

const REFRESH = ['POST', '/api/sync/refresh-all', { force: true }] as const;
const SYNC = ['POST', '/api/cloud-sync/push', { force: true }] as const;
const FOLLOW = ['GET', '/api/cloud-sync/pull?force=true'] as const;

async function round(node: LiveNode, project: string): Promise<Round[]> {
  const asked = (method: string, path: string, body?: object) =>
    askedUntil(
      () => node.call<Round>(project, method, path, body),
      ({ error }) => error === null,
    );
  const synced = await asked(...SYNC);
  // A push deletes nothing here, so the user follows the cloud's held deletions by hand.
  return synced.held?.where === 'here' ? [synced, await asked(...FOLLOW)] : [synced];
}

/** Confirms what was deleted on disk, however much it is. */
const refreshed = (node: LiveNode, project: string) =>
  askedUntil(
    () => node.call<{ status: string }>(project, ...REFRESH),
    ({ status }) => status === 'completed',
  );

/** Rounds until all have the same bytes and nothing changes; resolves to the fault if that never happens. */
export async function settle({ hub, installs, nodes }: Trio, project: string): Promise<string | null> {
  const everything = () => JSON.stringify(nodes.map((node) => [...shown(node)]));
  const shown = (node: LiveNode) => node.disk(project).tree();
  await Promise.all(nodes.map((node) => refreshed(node, project)));
  let last: Round[] = [];
  let wasQuiet = false;
  for (let rounds = 0; rounds < MOST_ROUNDS; rounds += 1) {
    const before = everything();
    last = [];
    for (const node of installs) last.push(...(await round(node, project)));
    const isQuiet = last.every(
      (each) => each.pushed + each.pulled + each.deleted_here + each.deleted_in_cloud === 0,
    );
    const isStill = isQuiet && before === everything();
    const apart = installs.flatMap((node) => differing(shown(node), shown(hub)));
    if (isStill && apart.length === 0) return null;
    // Changes that an install's own round was sending when this one began reach the others with the next.
    if (isStill && wasQuiet) return `quiet, and apart: ${apart} ${JSON.stringify(last)}`;
    wasQuiet = isStill;
  }
  return `not quiet after ${MOST_ROUNDS} rounds: ${JSON.stringify(last)}`;
}

/** Paths with the words on both sides. */
const differing = (here: ReadonlyMap<string, string>, there: ReadonlyMap<string, string>): string[] =>
  [...new Set([...here.keys(), ...there.keys()])]
    .filter((path) => here.get(path) !== there.get(path))
    .map(
      (path) => `${path} (${shownWords(here.get(path))} here, ${shownWords(there.get(path))} in the cloud)`,
    );

const shownWords = (text: string | undefined): string =>
  text === undefined ? 'nothing' : wordsIn(text).join(' ');
