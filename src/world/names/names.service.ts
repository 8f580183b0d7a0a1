import { sha256Hex } from '../../kit/crypto.ts';
import { createPauses } from '../../kit/pauses.ts';
import { fingerprints, type TemplateRegistry, type TemplateSet } from '../definitions/index.ts';
import { entityUpdated } from '../records/entity.events.ts';
import { eventsAfter, logEnd, type Project, pages, type RecordsDb } from '../records/index.ts';
import { namesByIds, pageOfNames } from './names.store.ts';
import { createColumns } from './names-columns.ts';
import { cursorText, type NamesPlace, seqOf } from './names-cursor.ts';

/** A page is read at one go, and other requests wait for it. */
const PAGE = 1_000;
/** Events after which listing everything is not much more work. */
const MOST_EVENTS = 5_000;

const printOf = (set: TemplateSet): string =>
  sha256Hex(JSON.stringify([...fingerprints(set)].sort())).slice(0, 8);

export function createNames({ templates }: { templates: TemplateRegistry }) {
  /** It is read before any name, so that what commits meanwhile comes again after this place. */
  async function placeOf(project: Project, set: TemplateSet): Promise<NamesPlace> {
    const end = await project.database.read((db: RecordsDb) => logEnd(db, project));
    return { ...end, projectNumber: project.number, types: printOf(set) };
  }

  async function allNames(project: Project): Promise<string> {
    // Replies, and the aliases in them, follow changed templates a moment later.
    await templates.followed(project);
    const set = await templates.upToDate(project);
    const place = await placeOf(project, set);
    const columns = createColumns();
    const pause = createPauses();
    for (const type of set.types.keys()) {
      const read = (after: string, limit: number) => pageOfNames(project, type, after, limit);
      for await (const rows of pages('', read, (row) => row.entity_id, PAGE)) {
        for (const row of rows) columns.add(row);
        await pause();
      }
    }
    return columns.json({ cursor: cursorText(place), full: true });
  }

  return {
    /** The reply's text. */
    async json(project: Project, cursor: string | undefined): Promise<string> {
      if (cursor === undefined) return allNames(project);
      const set = await templates.upToDate(project);
      const place = await placeOf(project, set);
      const after = seqOf(cursor, place);
      const changed = after === null ? null : await changedSince(project, after);
      if (changed === null) return allNames(project);
      const columns = createColumns();
      for (const [type, ids] of changed.ids) {
        if (!set.types.has(type)) continue;
        const rows = await namesByIds(project, type, [...ids]);
        for (const row of rows) columns.add(row);
        const found = new Set(rows.map((row) => row.entity_id));
        for (const id of ids) if (!found.has(id)) columns.addGone(type, id);
      }
      return columns.json({
        cursor: cursorText({ ...place, seq: Math.max(place.seq, changed.seq) }),
        full: false,
      });
    },
  };
}

export type Names = ReturnType<typeof createNames>;

interface Changed {
  /** Ids by type. */
  ids: Map<string, Set<string>>;
  seq: number;
}

/** Null if the log does not name them all. */
async function changedSince(project: Project, after: number): Promise<Changed | null> {
  const events = await project.database.read((db: RecordsDb) =>
    eventsAfter(db, project, after, MOST_EVENTS + 1),
  );
  if (events.length > MOST_EVENTS) return null;
  const ids = new Map<string, Set<string>>();
  for (const { body } of events) {
    if (body === null) return null;
    const event = JSON.parse(body) as { type: string; entity_type: string; entity_id: string };
    if (event.type !== entityUpdated.name) continue;
    const known = ids.get(event.entity_type) ?? new Set();
    ids.set(event.entity_type, known.add(event.entity_id));
  }
  return { ids, seq: events.at(-1)?.seq ?? after };
}
