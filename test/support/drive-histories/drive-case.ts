import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Change, Replica } from '../../../src/exchange/sync/index.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { createGoogleDrive } from '../../../src/platform/drive/adapters/google-drive.ts';
import type { Project } from '../../../src/world/records/index.ts';
import type { TestCore } from '../core.ts';
import { type DriveServer, startDriveServer } from '../drive/drive-server.ts';
import { replicaOf } from '../drive/replica-of.ts';
import { endOf } from '../engine/end-of-case.ts';
import { type EngineInstall, startEngineInstall } from '../engine/engine-install.ts';
import { createLife, type Life } from '../engine/life.ts';
import { noted } from '../engine/noted-replica.ts';
import { overWire } from '../engine/wire.ts';
import { createRandom, createStreams } from '../replica/random.ts';
import { createBook } from '../replica/words.ts';
import { createEdits } from '../replicas/edits.ts';
import type { Journal } from '../replicas/journal.ts';
import { breakSomething } from './drive-faults.ts';
import { conflictTexts, createDriveWorld } from './drive-world.ts';

export interface DriveCaseOptions {
  /** A fault to be found out: merges from a version that is not the ancestor. */
  wrongAncestor?: boolean;
}

interface Side extends EngineInstall {
  life: Life;
  folder: string;
}

const FAULTS = 0.1;

/** Random histories of two installs and people in one folder of a drive, each determined by its seed. */
export const driveCases =
  (options: DriveCaseOptions = {}) =>
  async (core: TestCore, seed: number, journal: Journal): Promise<string | null> => {
    const server = await startDriveServer();
    const google = createGoogleDrive({ apiBase: server.url, pauseMs: 1, answerMs: 2_000, log: silentLog });
    try {
      return await play({ core, server, google, journal, ...options }, seed);
    } finally {
      google.close();
      await server.close();
    }
  };

interface CaseParts extends DriveCaseOptions {
  core: TestCore;
  server: DriveServer;
  google: ReturnType<typeof createGoogleDrive>;
  journal: Journal;
}

/** Null if all ended well, else the reason. */
async function play(parts: CaseParts, seed: number): Promise<string | null> {
  const { core, server, journal } = parts;
  const { random, apart } = createStreams(createRandom(seed));
  const book = createBook();
  const edits = createEdits({ random, book });
  const world = createDriveWorld(server, { random, book, name: `World ${seed}` });
  let faults = 0;
  const meanwhile = () => {
    if (random.chance(faults)) world.act();
    if (random.chance(faults)) breakSomething(server, random);
  };
  const start = async (at: number): Promise<Side> => {
    const name = `install ${at}`;
    const life = createLife((where) => journal.note(name, 'dies', { where }));
    const open = (project: Project) =>
      overWire(noted(faultyReplicaOf(parts, project, world.rootId), { name, journal }), {
        random,
        faults: () => faults,
        life,
        late: [],
        meanwhile,
      });
    const projectId = `drive-${randomUUID().slice(0, 13)}-${at}`;
    const install = await startEngineInstall(core, { name, projectId, replica: 'drive', open, life });
    return { ...install, life, folder: join(core.config.dataDir, 'projects', projectId) };
  };
  const installs = [await start(0), await start(1)] as const;
  const editOn = ({ name, disk }: Side) => {
    const place = { node: { disk: () => disk }, project: '' };
    if (random.chance(0.3)) edits.moveOnDisk(place);
    else edits.onDisk(place);
    journal.note(name, 'edited', {});
  };
  const round = ({ name, project, sync, life }: Side) =>
    apart(async () => {
      life.begin(random, faults / 8);
      const isUsual = random.chance(0.7);
      const result = await (isUsual ? sync.syncNow(project) : sync.pushAll(project, { force: true })).catch(
        String,
      );
      journal.note(name, 'ends the round', { isUsual, result });
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
    if (what < 2) {
      const before = world.tree();
      world.act();
      journal.note('drive', 'edited', { before: [...before.keys()], after: [...world.tree().keys()] });
    } else if (what < 5) editOn(install);
    else {
      if (random.chance(0.7)) await install.look();
      await round(install);
    }
  }
  faults = 0;
  server.faults.clear();
  const replica = {
    ...world,
    // The older one counts, until a person decides.
    mayLeave: (reason: string) => reason.includes('is the same entity as well'),
    kept: () => [...world.kept(), ...installs.flatMap(({ folder }) => conflictTexts(folder))],
  };
  const end = await endOf(installs, { replica, book, journal });
  const unforeseen = installs.flatMap(({ errors }) => errors)[0];
  for (const install of installs) await install.close();
  return end ?? unforeseen ?? null;
}

function faultyReplicaOf(
  { core, server, google, wrongAncestor = false }: CaseParts,
  project: Project,
  folderId: string,
): Replica {
  const replica = replicaOf(core, {
    project,
    drive: google({ token: async () => server.token }),
    folderId,
    force: true,
  });
  if (!wrongAncestor) return replica;
  return {
    ...replica,
    get requests() {
      return replica.requests;
    },
    put: (changes, options) => replica.put(changes.map(fromOwnText), options),
  };
}

/** As if the own text were what both sides were made from. */
const fromOwnText = (change: Change): Change => {
  const { base, local } = change;
  return base.sha256 === null || local === undefined || !base.key.startsWith('e:')
    ? change
    : { ...change, base: { ...base, sha256: local.sha256 } };
};
