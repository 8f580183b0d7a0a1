import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict } from '../../kit/errors.ts';
import { ifGone } from '../../platform/files/if-gone.ts';
import {
  type EntityRow,
  findEntityFolderRow,
  findEntityRow,
  type Project,
  type RecordsDb,
} from '../records/index.ts';
import type { Entities } from './entities.service.ts';
import { type Origin, retryOvertaken } from './entity-commit.ts';
import { entityLock } from './entity-lock.ts';
import { moveEntity } from './entity-move.ts';
import { placesTo } from './move-places.ts';
import { folderOf } from './recycle-item.ts';

export interface PlannedMove {
  type: string;
  id: string;
  /** The entity moves only if it is still here. */
  from: string;
  to: string;
  isWhole: boolean;
  actor: string;
  also: Origin['also'];
}

export type NotMoved = Map<PlannedMove, unknown>;

interface Open {
  move: PlannedMove;
  /** Its present path: on its way, or where it began. */
  at: string;
  error: unknown;
}

/** Where an entity waits while others of its cycle move. The name follows from the row, so that a later run can continue. */
const parkingOf = ({ row_id }: EntityRow, from: string): string =>
  `${folderOf(from)}~${row_id.toString(36)}${from.slice(folderOf(from).length)}`;

/**
 * Moves entities, those with a free target first; of a cycle, in which each waits for the next, one is parked
 * meanwhile. Nothing is overwritten: an entity that cannot be moved stays, and the result says why. Each step is
 * complete in itself, so that after a crash every entity is at a valid place.
 */
export function createMoveMany({ entities, clock }: { entities: Entities; clock: Clock }) {
  const now = () => isoTime(clock.now());

  const rowOf = (project: Project, { type, id }: PlannedMove): Promise<EntityRow | undefined> =>
    project.database.read((db: RecordsDb) => findEntityRow(db, project, type, id));

  async function step(project: Project, { move, at }: Open, to: string): Promise<void> {
    const { type, id, actor } = move;
    const template = await entities.templateOf(project, type);
    const isWhole = (await makeRoom(project, at, to)) && move.isWhole;
    await project.database.exclusive(entityLock(project, type, id), () =>
      retryOvertaken(async () => {
        const row = await rowOf(project, move);
        if (row?.path !== at) throw elsewhere(move);
        const origin: Origin = {
          source: 'sync',
          operation_id: null,
          also: (db, stored) => (to === move.to ? move.also(db, stored) : Promise.resolve()),
        };
        const options = { actor, changed: [], origin, now };
        return moveEntity(project, template, { row, toId: id, places: placesTo(at, to, isWhole) }, options);
      }),
    );
    if (!isWhole) await project.files.removeEmptyFolder(folderOf(at));
  }

  async function begin(project: Project, moves: readonly PlannedMove[], stay: NotMoved): Promise<Open[]> {
    const open: Open[] = [];
    for (const move of moves) {
      const row = await rowOf(project, move);
      const places = row ? [move.from, parkingOf(row, move.from)] : [];
      if (row && places.includes(row.path)) open.push({ move, at: row.path, error: null });
      else stay.set(move, elsewhere(move));
    }
    return open;
  }

  /** Resolves to the moves that are still blocked. */
  async function moveFree(project: Project, open: readonly Open[]): Promise<Open[]> {
    const left: Open[] = [];
    for (const one of open) {
      try {
        await step(project, one, one.move.to);
      } catch (error) {
        left.push({ ...one, error });
      }
    }
    return left;
  }

  /** Parks one entity of a cycle to make room for the next; null if there is no cycle. */
  async function putAside(project: Project, open: readonly Open[]): Promise<Open[] | null> {
    const one = circleIn(open);
    const row = one && (await rowOf(project, one.move));
    if (one === undefined || row === undefined) return null;
    const parking = parkingOf(row, one.move.from);
    if (one.at === parking) return null;
    const isParked = await step(project, one, parking).then(
      () => true,
      () => false,
    );
    return isParked ? open.map((each) => (each === one ? { ...one, at: parking } : each)) : null;
  }

  async function run(project: Project, moves: readonly PlannedMove[]): Promise<NotMoved> {
    const stay: NotMoved = new Map();
    let open = await begin(project, moves, stay);
    while (open.length > 0) {
      const left = await moveFree(project, open);
      const next = left.length < open.length ? left : await putAside(project, left);
      if (next === null) {
        for (const one of left) {
          stay.set(one.move, one.error);
          if (one.at !== one.move.from) await step(project, one, one.move.from).catch(() => {});
        }
        break;
      }
      open = next;
    }
    return stay;
  }

  /** Takes the lock of the project's sync, so the caller must not hold it. */
  return (project: Project, moves: readonly PlannedMove[]): Promise<NotMoved> =>
    project.database.exclusive(`sync ${project.projectId}`, () => run(project, moves));
}

export type MoveMany = ReturnType<typeof createMoveMany>;

const elsewhere = ({ type, id, from }: PlannedMove) =>
  conflict(`${type} '${id}' is no longer at ${from}`, { code: 'moved_meanwhile' });

function circleIn(open: readonly Open[]): Open | undefined {
  const holder = ({ move }: Open) => open.find(({ at }) => folderOf(at) === folderOf(move.to));
  return open.find((first) => {
    let next = holder(first);
    for (let steps = 0; steps < open.length && next && next !== first; steps += 1) next = holder(next);
    return next === first;
  });
}

/**
 * True if the whole folder can move there, false for the file alone. 409 if another file has the place, or an entity whose folder
 * moved a moment ago, which the next sync follows: two entities at one path would look like one.
 */
async function makeRoom(project: Project, at: string, to: string): Promise<boolean> {
  const folder = folderOf(to);
  if ((await project.files.stat(to)) !== undefined) throw taken(to);
  if (folder === folderOf(at)) return false;
  const owner = await project.database.read((db: RecordsDb) => findEntityFolderRow(db, project, folder));
  if (owner) throw taken(owner.path);
  const entries = await project.files.list(folder).catch(ifGone);
  const markdown = entries?.find(({ kind, name }) => kind === 'file' && /\.md$/i.test(name));
  if (markdown) throw taken(`${folder}/${markdown.name}`);
  return entries === undefined || (await project.files.removeEmptyFolder(folder));
}

const taken = (path: string) =>
  conflict(`${path} is there already: move it, or let it be`, { code: 'place_taken' });
