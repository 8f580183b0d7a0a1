/** The parts of a note in a report that its row needs. */
export interface ReportedNote {
  place: string;
  action: 'create' | 'merge' | 'replace' | 'skip' | 'refuse';
  reason: string | null;
  name: string;
  entity_type: string;
  kept_aside: readonly unknown[];
  refused: readonly unknown[];
  links: { unresolved: readonly unknown[] };
}

interface UntypedNote {
  place: string;
  code: 'no_type' | 'left_out';
  proposed?: { to: string };
}

interface Report<Note> {
  notes: readonly Note[];
  untyped: readonly UntypedNote[];
}

/** One note of an import, whether it becomes an entry or not. */
export interface ImportRow<Note extends ReportedNote = ReportedNote> {
  place: string;
  action: ReportedNote['action'] | UntypedNote['code'];
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

interface Arrangement<Note extends ReportedNote> {
  isShown(row: ImportRow<Note>): boolean;
  /** Places of notes that come first, with their groups. */
  first: ReadonlySet<string>;
}

/** The notes of a report in groups by folder, in the order of their names. */
export function importGroups<Note extends ReportedNote>(
  { notes, untyped }: Report<Note>,
  { isShown, first }: Arrangement<Note>,
): ImportGroup<ImportRow<Note>>[] {
  const rows = [...notes.map(rowOfNote), ...untyped.map((each) => rowOfUntyped<Note>(each))].filter(isShown);
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const rank = ({ place }: ImportRow<Note>) => (first.has(place) ? 0 : 1);
  const rankOfGroup = ({ rows: [row] }: ImportGroup<ImportRow<Note>>) => (row ? rank(row) : 1);
  return [...Map.groupBy(rows, ({ place }) => folderOf(place))]
    .map(([folder, own]) => ({
      folder,
      rows: own.sort((a, b) => rank(a) - rank(b) || compare(a.place, b.place)),
    }))
    .sort((a, b) => rankOfGroup(a) - rankOfGroup(b) || compare(a.folder, b.folder));
}

const rowOfNote = <Note extends ReportedNote>(note: Note): ImportRow<Note> => ({
  place: note.place,
  action: note.action,
  type: note.entity_type,
  maybe: null,
  note,
});

const rowOfUntyped = <Note extends ReportedNote>({
  place,
  code,
  proposed,
}: UntypedNote): ImportRow<Note> => ({
  place,
  action: code,
  type: null,
  maybe: proposed?.to ?? null,
  note: null,
});

/** `people.csv:12` lies in its table, other notes in their folder. */
const folderOf = (place: string): string => /^(.*\.[ct]sv):/i.exec(place)?.[1] ?? above(place);

const above = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0));

/** The places of the notes that do not say their type. */
export const untypedPlaces = ({ untyped }: Report<unknown>): string[] =>
  untyped.filter(({ code }) => code === 'no_type').map(({ place }) => place);

interface WholeReport<Refusal> extends Report<ReportedNote> {
  refused: readonly Refusal[];
  totals: { refused: number };
}

/** The files that are no notes or cannot be read, and the number of further ones, which the report does not name. */
export function otherFiles<Refusal extends { place: string }>(
  report: WholeReport<Refusal>,
): { files: Refusal[]; more: number } {
  const untyped = new Set(untypedPlaces(report));
  const files = report.refused.filter(({ place }) => !untyped.has(place));
  const inNotes = report.notes.reduce((sum, { refused }) => sum + refused.length, 0);
  return { files, more: Math.max(report.totals.refused - inNotes - untyped.size - files.length, 0) };
}

/** The user's choices by place: a type, or null for what is left out. */
export type TypesByPlace = Readonly<Record<string, string | null | undefined>>;

/** The choice for this place itself; undefined if there is none. */
export const choiceAt = (types: TypesByPlace, place: string): string | null | undefined =>
  Object.hasOwn(types, place) ? types[place] : undefined;

/** The choice that counts for a place without one of its own: that of the nearest folder above it. */
export function inheritedChoice(types: TypesByPlace, place: string): string | null | undefined {
  for (let folder = folderOf(place); folder !== ''; folder = above(folder)) {
    const choice = choiceAt(types, folder);
    if (choice !== undefined) return choice;
  }
  return undefined;
}

/** The number of parts of a note that found no place. A note that is not taken counts as one, unless that was asked for. */
export function leftOvers({ action, note }: ImportRow): number {
  const whole = action === 'refuse' || action === 'no_type' ? 1 : 0;
  if (note === null) return whole;
  return note.kept_aside.length + note.refused.length + note.links.unresolved.length + whole;
}

/** The number of notes that become entries, or change them. */
export const writtenNotes = ({
  totals: { notes },
}: {
  totals: { notes: { total: number; skip: number; refuse: number } };
}): number => notes.total - notes.skip - notes.refuse;
