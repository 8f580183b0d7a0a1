import { type DecodeResult, DocumentError, decodeUtf8 } from '../../content/frontmatter/index.ts';
import {
  type AsideColumns,
  type AskedMapping,
  type AskedTypes,
  addTarget,
  addToTotals,
  createAttachments,
  createIdentifier,
  createTargets,
  createTypeChoices,
  type Draft,
  draftOf,
  type ExistingMode,
  formatOfPath,
  type Identified,
  type ImportAction,
  type ImportedText,
  type ImportFormat,
  type ImportTotals,
  importedText,
  intoExisting,
  type LossReport,
  type NotIdentified,
  noTotals,
  type Refusal,
  readSource,
  refuseKeys,
  type Targets,
  type UntypedNote,
} from '../../content/import/index.ts';
import { entityFolder } from '../../content/paths/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { tooLarge } from '../../kit/errors.ts';
import { createPauses } from '../../kit/pauses.ts';
import type { Step } from '../changesets/index.ts';
import { type Project, pages, type RecordsDb } from '../records/index.ts';
import { tooLargeFile } from '../texts/index.ts';
import { IMPORT_LIMITS, type ImportFile, isTooLargeText } from './import-file.ts';
import { type KnownEntity, listEntityNames } from './imports.store.ts';

export interface ImportOptions {
  /** The format of a pasted text; that of files follows from their names. */
  format?: ImportFormat | undefined;
  /** The type of all notes, and the default for notes that name none. */
  entityType?: string | undefined;
  defaultType?: string | undefined;
  types?: AskedTypes | undefined;
  mapping: AskedMapping;
  /** True if `.json` files hold entities; programs leave many that do not. */
  includeJson?: boolean | undefined;
  mode: ExistingMode | 'skip';
  /** Limit for properties and links in all; the limit of an import by default. */
  mostFacts?: number | undefined;
  /** Collects the properties that become no field. */
  aside?: AsideColumns | undefined;
}

/** The plan for one note: its place, its interpretation and its entries in the report. */
export interface PlannedNote extends LossReport {
  place: string;
  action: ImportAction;
  /** The reason why it is skipped or refused; null otherwise. */
  reason: string | null;
  name: string;
  entity_type: string;
  type_confidence: number;
  type_reason: string;
  entity_id: string;
  /** The id that another note of the import already had. */
  wanted_id: string | null;
}

export interface NotesPlan {
  notes: PlannedNote[];
  /** Files that are not notes or could not be placed, up to a limit; `totals` counts all. */
  refused: Refusal[];
  untyped: UntypedNote[];
  totals: ImportTotals;
  steps: Step[];
}

export const emptyPlan = (): NotesPlan => ({
  notes: [],
  refused: [],
  untyped: [],
  totals: noTotals(),
  steps: [],
});

export type PlanProgress = (progress: {
  phase: 'reading' | 'mapping';
  done: number;
  total: number | null;
}) => void;

const PAGE = 2_000;
/** More than anybody reads; further ones are only counted. */
const MOST_REFUSALS = 1_000;

export function refuse({ refused, totals }: NotesPlan, refusal: Refusal): void {
  totals.refused += 1;
  if (refused.length < MOST_REFUSALS) refused.push(refusal);
}

interface World {
  project: Project;
  templates: ReadonlyMap<string, TemplateDefinition>;
  today: string;
  onProgress?: PlanProgress | undefined;
}

function takeUnidentified(plan: NotesPlan, { refused, untyped }: NotIdentified): void {
  if (refused) refuse(plan, refused);
  if (untyped && plan.untyped.length < IMPORT_LIMITS.notes) plan.untyped.push(untyped);
}

/** Plans an import without writing. Yields to other work between notes. */
export async function planNotes(
  world: World,
  files: readonly ImportFile[],
  options: ImportOptions,
): Promise<NotesPlan> {
  const plan = emptyPlan();
  const targets = createTargets();
  const count = countFacts(options);
  const known = await knownEntities(world.project, targets);
  const notes = await readNotes({ ...world, count }, files, options, plan, targets);
  const bytesOf = new Map(files.map((file) => [file.path, file.bytes]));
  const others = [...bytesOf.keys()].filter((path) => formatOf(path, options) === null);
  const attachments = createAttachments(others);
  const pause = createPauses();
  const shown = new Set<string>();
  for (const [index, identified] of notes.entries()) {
    await pause();
    const draft = draftOf(identified, { targets, attachments, mapping: options.mapping });
    count(draft.report.links.unresolved.length);
    options.aside?.add(draft.entity_type, identified.note, draft.report);
    const existing = known.get(`${draft.entity_type}/${draft.entity_id}`);
    const outcome = await outcomeOf(world, identified, draft, existing, options.mode);
    plan.notes.push(outcome.note);
    addToTotals(plan.totals, outcome.note.action, propertiesOf(identified), outcome.note);
    for (const step of stepsOf(identified, draft, outcome, bytesOf)) plan.steps.push(step);
    for (const { from } of draft.attachments) shown.add(from);
    world.onProgress?.({ phase: 'mapping', done: index + 1, total: notes.length });
  }
  for (const path of others) if (!shown.has(path)) refuse(plan, { place: path, reason: whyUnused(path) });
  return plan;
}

/** Counts the entries of the report. Throws 413 above the limit. */
function countFacts({ mostFacts = IMPORT_LIMITS.facts }: ImportOptions): (more: number) => void {
  let facts = 0;
  return (more) => {
    facts += more;
    if (facts <= mostFacts) return;
    const what = mostFacts < IMPORT_LIMITS.facts ? 'A preview or dry run' : 'One import';
    throw tooLarge(`${what} may have ${mostFacts} properties and links that lead nowhere: send it in parts`, {
      code: 'too_large',
    });
  };
}

/** The format of a file; null if it is not a note. */
function formatOf(path: string, { format, includeJson }: ImportOptions): ImportFormat | null {
  if (path === '') return format ?? 'markdown';
  const named = formatOfPath(path);
  return named === 'json' && includeJson !== true ? null : named;
}

const whyUnused = (path: string): string =>
  formatOfPath(path) === 'json'
    ? 'a .json file is read as notes only where that is asked for (include_json)'
    : 'no note that was read shows this file';

const propertiesOf = ({ note }: Identified): number =>
  Object.keys(note.properties).length + note.refused.filter(({ property }) => property !== undefined).length;

async function knownEntities(project: Project, targets: Targets): Promise<Map<string, KnownEntity>> {
  const known = new Map<string, KnownEntity>();
  const readPage = (after: number, limit: number) =>
    project.database.read((db: RecordsDb) => listEntityNames(db, project, after, limit));
  for await (const page of pages(-1, readPage, (row) => row.row_id, PAGE)) {
    for (const entity of page) {
      known.set(`${entity.entity_type}/${entity.entity_id}`, entity);
      targets.add(entity, [entity.entity_id, entity.name]);
    }
  }
  return known;
}

/** Reads every text, and chooses type, name and id of each note, so that links can refer to any of them. */
async function readNotes(
  { project, templates, onProgress, count }: World & { count(more: number): void },
  files: readonly ImportFile[],
  options: ImportOptions,
  plan: NotesPlan,
  targets: Targets,
): Promise<Identified[]> {
  const choices = createTypeChoices(options.types);
  const identify = createIdentifier({ templates, ...options, choices });
  const notes: Identified[] = [];
  const pause = createPauses();
  for (const { path, bytes } of files) {
    const format = formatOf(path, options);
    if (format === null) continue;
    await pause();
    choices.saw(path);
    if (isTooLargeText(path, bytes.byteLength, project.largestText)) {
      refuse(plan, { place: path, reason: tooLargeFile(bytes.byteLength, project.largestText).reason });
      continue;
    }
    const decoded: DecodeResult = decodeUtf8(bytes);
    if (!decoded.ok) {
      refuse(plan, { place: path, reason: `the file is no UTF-8 text: ${decoded.problem.reason}` });
      continue;
    }
    for (const item of readSource({ path, text: decoded.text }, format)) {
      await pause();
      const identified = 'note' in item ? identify(item.note) : item;
      if ('note' in identified) count(propertiesOf(identified));
      if ('note' in identified) notes.push(identified);
      else takeUnidentified(plan, identified);
      if (notes.length > IMPORT_LIMITS.notes)
        throw tooLarge(`One import may make ${IMPORT_LIMITS.notes} entities: import in parts`);
      if ('note' in identified) addTarget(targets, identified);
      onProgress?.({ phase: 'reading', done: notes.length, total: null });
    }
  }
  for (const place of choices.unused())
    refuse(plan, {
      place,
      reason: 'a type was chosen for it (types), but nothing that is read as notes lies there',
    });
  return notes;
}

interface Outcome {
  note: PlannedNote;
  written: { text: string; base: string | null } | null;
}

async function outcomeOf(
  { project, today }: World,
  identified: Identified,
  draft: Draft,
  existing: KnownEntity | undefined,
  mode: ImportOptions['mode'],
): Promise<Outcome> {
  const { note, template } = identified;
  const planned = (action: ImportAction, reason: string | null = null): PlannedNote => ({
    place: note.place,
    action,
    reason,
    name: draft.name,
    entity_type: draft.entity_type,
    type_confidence: identified.type.confidence,
    type_reason: identified.type.reason,
    entity_id: draft.entity_id,
    wanted_id: identified.wanted_id,
    ...draft.report,
  });
  if (existing !== undefined && mode === 'skip')
    return { note: planned('skip', `${existing.path} is there already`), written: null };
  try {
    if (existing === undefined || mode === 'skip') {
      const made = importedText(template, draft, note, today);
      return {
        note: { ...planned('create'), ...refuseMore(draft, made) },
        written: { text: made.text, base: null },
      };
    }
    const bytes = await project.files.read(existing.path);
    const base = decodeUtf8(bytes);
    if (!base.ok) throw new DocumentError(base.problem);
    const made = intoExisting(template, base.text, draft, note, { mode, today });
    const report = refuseKeys(draft.report, made.refused);
    return { note: { ...planned(mode), ...report }, written: { text: made.text, base: base.text } };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const { reason } = error.problem;
    return { note: planned('refuse', `its file cannot be written: ${reason}`), written: null };
  }
}

const refuseMore = ({ report }: Draft, { refused }: ImportedText): LossReport => ({
  ...report,
  refused: [...report.refused, ...refused],
});

function stepsOf(
  { template, note }: Identified,
  { entity_type, entity_id, attachments }: Draft,
  { written }: Outcome,
  bytesOf: ReadonlyMap<string, Uint8Array>,
): Step[] {
  if (written === null || written.text === written.base) return [];
  const { text, base } = written;
  const entity = { entity_type, entity_id };
  const origin = note.path === '' ? {} : { origin: note.place };
  const folder = entityFolder(template, entity_id);
  const assets = attachments.flatMap(({ from, to }): Step[] => {
    const bytes = bytesOf.get(from);
    return bytes === undefined ? [] : [{ kind: 'asset', path: `${folder}/${to}`, bytes, origin: from }];
  });
  return [
    base === null
      ? { kind: 'create', ...entity, ...origin, text }
      : { kind: 'write', ...entity, ...origin, base, text },
    ...assets,
  ];
}
