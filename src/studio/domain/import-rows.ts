interface Reported {
  place: string;
  reason: string | null;
}

/** The parts of a note in a report that its row needs. */
export interface ReportedNote extends Reported {
  action: 'create' | 'merge' | 'replace' | 'skip' | 'refuse';
  name: string;
  entity_type: string;
  kept_aside: readonly unknown[];
  refused: readonly unknown[];
  links: { unresolved: readonly unknown[] };
}

export interface ReportedRefusal extends Reported {
  code?: 'no_type' | 'left_out';
  proposed?: { to: string };
}

/** One note of an import, whether it becomes an entry or not. */
export interface ImportRow<Note extends ReportedNote = ReportedNote> {
  place: string;
  action: ReportedNote['action'] | 'no_type' | 'left_out';
  /** Null for a note that becomes nothing. */
  type: string | null;
  /** A type that was not sure enough to be taken. */
  maybe: string | null;
  note: Note | null;
}

/** The notes of a folder or a table. '' is outside of all folders. */
export interface ImportGroup<Row> {
  folder: string;
  rows: Row[];
}

interface Report<Note, Refusal> {
  notes: readonly Note[];
  refused: readonly Refusal[];
}

interface Arrangement<Note extends ReportedNote> {
  isShown(row: ImportRow<Note>): boolean;
  /** Places of notes that come first, with their groups. */
  first: ReadonlySet<string>;
}

/** The notes of a report in groups by folder, and the refused files that are no notes. */
export function importGroups<Note extends ReportedNote, Refusal extends ReportedRefusal>(
  { notes, refused }: Report<Note, Refusal>,
  { isShown, first }: Arrangement<Note>,
): { groups: ImportGroup<ImportRow<Note>>[]; others: Refusal[] } {
  const rows = [...notes.map(rowOfNote), ...refused.flatMap((refusal) => rowsOfRefusal<Note>(refusal))];
  const groups = new Map<string, ImportRow<Note>[]>();
  for (const row of rows) {
    if (!isShown(row)) continue;
    const folder = folderOf(row.place);
    const group = groups.get(folder);
    if (group) group.push(row);
    else groups.set(folder, [row]);
  }
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const rank = ({ place }: ImportRow<Note>) => (first.has(place) ? 0 : 1);
  const rankOfGroup = ({ rows: [row] }: ImportGroup<ImportRow<Note>>) => (row ? rank(row) : 1);
  return {
    groups: [...groups]
      .map(([folder, own]) => ({
        folder,
        rows: own.sort((a, b) => rank(a) - rank(b) || compare(a.place, b.place)),
      }))
      .sort((a, b) => rankOfGroup(a) - rankOfGroup(b) || compare(a.folder, b.folder)),
    others: refused.filter(({ code }) => code === undefined),
  };
}

const rowOfNote = <Note extends ReportedNote>(note: Note): ImportRow<Note> => ({
  place: note.place,
  action: note.action,
  type: note.entity_type,
  maybe: null,
  note,
});

const rowsOfRefusal = <Note extends ReportedNote>({
  place,
  code,
  proposed,
}: ReportedRefusal): ImportRow<Note>[] =>
  code === undefined ? [] : [{ place, action: code, type: null, maybe: proposed?.to ?? null, note: null }];

/** `people.csv:12` and `world.json: cast.mira` lie in their file, other notes in their folder. */
const folderOf = (place: string): string =>
  /^(.*\.(?:csv|tsv|json)):/i.exec(place)?.[1] ?? place.slice(0, Math.max(place.lastIndexOf('/'), 0));

/** The places of the notes that do not say their type. */
export const untypedPlaces = ({ refused }: Report<unknown, ReportedRefusal>): string[] =>
  refused.filter(({ code }) => code === 'no_type').map(({ place }) => place);

/** The number of parts of a note that found no place. A note that is not taken counts as one, unless that was asked for. */
export function leftOvers({ action, note }: ImportRow): number {
  const whole = action === 'refuse' || action === 'no_type' ? 1 : 0;
  if (note === null) return whole;
  return note.kept_aside.length + note.refused.length + note.links.unresolved.length + whole;
}
