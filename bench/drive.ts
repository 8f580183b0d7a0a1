import type { TestCore } from '../test/support/core.ts';
import { createFiles } from './floors/create-files.ts';
import { type DriveInstall, startBenchCore, startDriveInstall } from './support/drive-install.ts';
import { mostResult, type Result, ratioResult } from './support/report.ts';
import { inTurns } from './support/rounds.ts';
import { entityPathOf, entityText } from './world.ts';

/** Set DRIVE_FILES=500 for a quick check. */
const FILES = Number(process.env.DRIVE_FILES ?? 5_000);
const ROUNDS = 3;
const AT_ONCE = 8;
/** Before each answer. The test drive takes no time of its own; a real one takes longer than this. */
const ANSWER_MS = 20;

/** One round, in which exactly this much must happen. Resolves to the number of requests that the drive got. */
async function round({ server, install }: DriveInstall, must: { push: number; pull: number }) {
  const before = server.requests.length;
  const { pushed, pulled, left, held, error } = await install.sync.syncNow(install.project);
  const isDone = pushed === must.push && pulled === must.pull && left.length === 0;
  if (!isDone || held || error || install.errors.length > 0)
    throw new Error(`unexpected: ${JSON.stringify({ pushed, pulled, left, held, error })}`);
  return server.requests.length - before;
}

async function filesPerSecond(drive: DriveInstall, work: () => Promise<unknown>): Promise<number> {
  drive.server.faults.next({ every: 1, delayMs: ANSWER_MS });
  const started = performance.now();
  await work();
  const perSecond = (FILES * 1_000) / (performance.now() - started);
  drive.server.faults.clear();
  return perSecond;
}

/** Of the rounds that were measured so far, the most. */
const counts = { first: 0, atOnce: 0, quiet: 0, here: 0, there: 0 };
const note = (what: keyof typeof counts, count: number): void => {
  counts[what] = Math.max(counts[what], count);
};

/** A first sync, and then a change on each side, with a round without news after each. */
async function ours(drive: DriveInstall): Promise<number> {
  const { server, install, rootId } = drive;
  const quiet = async () => note('quiet', await round(drive, { push: 0, pull: 0 }));
  for (let index = 0; index < FILES; index += 1) install.disk.write(entityPathOf(index), entityText(index));
  await install.look();

  server.maxAtOnce = 0;
  const perSecond = await filesPerSecond(drive, async () =>
    note('first', await round(drive, { push: FILES, pull: 0 })),
  );
  note('atOnce', server.maxAtOnce);
  await quiet();

  install.disk.write(entityPathOf(1), `${entityText(1)}\nA line from here.\n`);
  await install.look();
  note('here', await round(drive, { push: 1, pull: 0 }));
  await quiet();

  const file = server.at(entityPathOf(2), rootId);
  server.owner.edit(file?.id ?? '', `${entityText(2)}\nA line from there.\n`);
  note('there', await round(drive, { push: 0, pull: 1 }));
  await quiet();
  return perSecond;
}

const floor = (drive: DriveInstall): Promise<number> =>
  filesPerSecond(drive, () =>
    createFiles(
      { url: drive.server.url, token: drive.server.token, folderId: drive.rootId, atOnce: AT_ONCE },
      FILES,
      entityText,
    ),
  );

/** Each measurement has a drive and a project of its own. */
function onNewDrives(core: TestCore) {
  let started = 0;
  return (measure: (drive: DriveInstall) => Promise<number>) => async () => {
    started += 1;
    const drive = await startDriveInstall(core, `bench-${started}`);
    try {
      return await measure(drive);
    } finally {
      await drive.close();
    }
  };
}

/** A project that is kept equal to a folder of the test drive, which runs in the same process. */
export async function run(): Promise<Result[]> {
  const core = await startBenchCore();
  const onNewDrive = onNewDrives(core);
  try {
    const pair = await inTurns(ROUNDS, { ours: onNewDrive(ours), floor: onNewDrive(floor) });
    return [
      ratioResult(`first sync of ${FILES} entities, answers after ${ANSWER_MS} ms`, 'per second', pair, {
        atLeast: 0.5,
      }),
      mostResult('the same, for an entity', 'requests', counts.first / FILES, {
        most: 1.1,
        floor: '1 request',
      }),
      mostResult('the same, at once', 'requests', counts.atOnce, { most: AT_ONCE }),
      mostResult('a round without news', 'request', counts.quiet, { most: 1 }),
      mostResult('a round with one change from here', 'requests', counts.here, { most: 4 }),
      mostResult('a round with one change from there', 'requests', counts.there, { most: 4 }),
    ];
  } finally {
    await core.close();
  }
}
