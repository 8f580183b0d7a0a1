import { readName } from '../../content/entity/attributes.ts';
import { isEntityId } from '../../content/entity/index.ts';
import { DocumentError, editDocument, readDocument } from '../../content/frontmatter/index.ts';
import { countChangedLines } from '../../content/merge/index.ts';
import { type ReferenceChange, rewriteReferences } from '../../content/references/index.ts';
import { conflict, invalid } from '../../kit/errors.ts';
import { createPauses } from '../../kit/pauses.ts';
import { type Author, type Entities, placesOfId, requireName } from '../entities/index.ts';
import {
  type EntityName,
  type EntityRow,
  findByPlainId,
  type Project,
  type RecordsDb,
} from '../records/index.ts';
import type { Changesets } from './changesets.service.ts';
import { readFileText } from './file-text.ts';
import type { ChangesetRequest } from './operation-runs.ts';
import { type Fault, mentionsInBrokenFiles, refuseFaults } from './rename-faults.ts';
import { referrersOf } from './rename-referrers.ts';
import type { OperationReport } from './report.ts';
import type { Step } from './step.ts';

export interface RenameRequest {
  entity_type: string;
  old_id: string;
  new_id: string;
  /** A new name besides the new id. */
  name?: string | undefined;
}

export interface TouchedFile {
  entity_type: string;
  entity_id: string;
  path: string;
  /** The file's path after the rename. */
  new_path: string;
  lines: number;
}

export interface RenamePlan {
  files: TouchedFile[];
  files_total: number;
  lines_total: number;
}

export type Renames = ReturnType<typeof createRenames>;

/** Files listed in a plan; the rename itself has no such limit. */
const MOST_NAMED = 5_000;

/** Renames an entity together with all references to it, as one operation (spec 1 §4.4, decisions "References"). */
export function createRenames({ entities, changesets }: { entities: Entities; changesets: Changesets }) {
  async function subjectOf(project: Project, request: RenameRequest) {
    const { entity_type, old_id, new_id } = request;
    const template = await entities.templateOf(project, entity_type);
    requireNewId(request);
    const row = await entities.findRow(project, entity_type, old_id);
    const namesakes = await project.database.read((db: RecordsDb) =>
      findByPlainId(db, project, [old_id, new_id]),
    );
    if (namesakes.some((each) => each.entity_type === entity_type && each.entity_id === new_id)) {
      throw conflict(`${entity_type} '${new_id}' exists already`, { code: 'entity_exists' });
    }
    const places = placesOfId(template, row.path, new_id);
    if (places.newFolder !== places.oldFolder && (await isThere(project, places.newFolder))) {
      throw conflict(`The folder ${places.newFolder} already exists: move it away first`, {
        code: 'folder_exists',
      });
    }
    const change: ReferenceChange = {
      entity_type,
      from: old_id,
      to: new_id,
      untyped: untypedOf(namesakes, request),
    };
    return { template, row, path: places.stages[2], change };
  }

  /**
   * Yields the steps of a rename and calls `touch` for each. Throws 409 at the end, with files and lines, if a file
   * that refers to the entity cannot be read or edited.
   */
  async function* stepsOf(
    project: Project,
    request: RenameRequest,
    touch: (file: TouchedFile) => void,
  ): AsyncGenerator<Step> {
    const { row, path, change } = await subjectOf(project, request);
    const faults: Fault[] = [];
    const pause = createPauses();
    for await (const referrer of referrersOf(project, row)) {
      await pause();
      const step = await stepFor(project, referrer, change, faults);
      if (step === undefined) continue;
      touch(touched(referrer, referrer.path, step));
      yield step;
    }
    const step = await stepFor(project, row, change, faults);
    if (step !== undefined) {
      const text = withId(step.text, request);
      const moved = { ...step, kind: 'move' as const, to_id: request.new_id, text };
      touch(touched(row, path, moved));
      yield moved;
    }
    faults.push(...(await mentionsInBrokenFiles(project, request, faults)));
    if (faults.length > 0) throw refuseFaults(request, faults);
  }

  /** Returns the step for a file that refers to the entity; undefined if it does not, or no longer. */
  async function stepFor(
    project: Project,
    file: EntityName & { path: string },
    change: ReferenceChange,
    faults: Fault[],
  ) {
    const { entity_type, entity_id, path } = file;
    const read = await readFileText(project, path);
    if (read === undefined) return undefined;
    if (!read.ok) return void faults.push({ path, line: read.problem.line, reason: read.problem.reason });
    const base = read.text;
    try {
      const text = rewriteReferences(await entities.templateOf(project, entity_type), base, change);
      const isOwn = entity_type === change.entity_type && entity_id === change.from;
      return text === base && !isOwn
        ? undefined
        : { kind: 'write' as const, entity_type, entity_id, base, text };
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      return void faults.push({ path, line: error.problem.line, reason: error.problem.reason });
    }
  }

  return {
    /** Returns the files that a rename would touch; changes nothing. */
    async plan(project: Project, request: RenameRequest): Promise<RenamePlan> {
      const plan = emptyPlan();
      for await (const _step of stepsOf(project, request, (file) => note(plan, file))) {
        // The loop runs only for refusals and counts.
      }
      return plan;
    },

    /** Renames an entity. 409 for a used id or a blocking file, 422 for an invalid id; nothing is changed then. */
    async rename(
      project: Project,
      request: RenameRequest,
      author: Author,
      onBegin?: ChangesetRequest['onBegin'],
    ): Promise<RenamePlan & { operation: OperationReport }> {
      const plan = emptyPlan();
      const { entity_type, old_id, new_id } = request;
      const operation = await changesets.apply(project, {
        kind: 'rename',
        label: `Rename ${entity_type} ${old_id} to ${new_id}`,
        author,
        source: 'api',
        onBegin,
        steps: stepsOf(project, request, (file) => note(plan, file)),
      });
      return { ...plan, operation };
    },
  };
}

function requireNewId({ entity_type, old_id, new_id, name }: RenameRequest): void {
  if (name !== undefined) requireName(name);
  if (!isEntityId(new_id)) {
    throw invalid(`The id '${new_id}' must match ^[a-z0-9][a-z0-9_]{0,99}$ and must not be 'schema'`, {
      code: 'invalid_id',
      errors: [{ field: 'new_id', message: 'must be lower-case letters, digits and underscores' }],
    });
  }
  if (new_id === old_id) {
    throw invalid(`${entity_type} '${old_id}' has that id already`, {
      code: 'same_id',
      errors: [{ field: 'new_id', message: 'is the current id' }],
    });
  }
}

/** An untyped link means the only entity of its id; with several, it is ambiguous. */
function untypedOf(
  namesakes: readonly EntityName[],
  { entity_type, old_id, new_id }: RenameRequest,
): ReferenceChange['untyped'] {
  const hasOther = (id: string) =>
    namesakes.some((each) => each.entity_id === id && each.entity_type !== entity_type);
  if (hasOther(old_id)) return 'leave';
  return hasOther(new_id) ? 'qualify' : 'rename';
}

function withId(text: string, { new_id, name }: RenameRequest): string {
  const read = readDocument(text);
  const data = read.ok ? read.data : {};
  const { key } = readName(data) ?? { key: 'name' };
  return editDocument(text, {
    set: {
      ...(Object.hasOwn(data, 'id') && { id: new_id }),
      ...(name !== undefined && { [key]: name }),
    },
  });
}

const isThere = (project: Project, folder: string): Promise<boolean> =>
  project.files.list(folder).then(
    () => true,
    () => false,
  );

const emptyPlan = (): RenamePlan => ({ files: [], files_total: 0, lines_total: 0 });

function note(plan: RenamePlan, file: TouchedFile): void {
  plan.files_total += 1;
  plan.lines_total += file.lines;
  if (plan.files.length < MOST_NAMED) plan.files.push(file);
}

const touched = (
  { entity_type, entity_id, path }: EntityName & Pick<EntityRow, 'path'>,
  newPath: string,
  { base, text }: { base: string; text: string },
): TouchedFile => ({ entity_type, entity_id, path, new_path: newPath, lines: countChangedLines(base, text) });
