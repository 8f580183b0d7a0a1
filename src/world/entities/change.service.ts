import type { ReadDocument } from '../../content/frontmatter/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import type { HeaderValue } from '../../kit/http/etag.ts';
import { type FileStat, FilesError } from '../../platform/files/files.ts';
import type { EntityName, EntityRow, Project } from '../records/index.ts';
import { type BeforeHooks, viaOf } from './before-hooks.ts';
import { BY_API, commitEntity, type Origin, overtaken, retryOvertaken, type Saved } from './entity-commit.ts';
import { entityLock } from './entity-lock.ts';
import { readable, stateOf, textOf } from './entity-text.ts';
import { publishFile } from './publish-draft.ts';
import { type ReconciledFile, reconcileFile } from './reconcile-file.ts';

export interface ChangeOptions {
  actor: string;
  /** Throws 412 if it names another state than the present one. */
  ifMatch?: HeaderValue;
  /** True to replace a damaged file, whose text goes to the revisions. Otherwise 409. */
  overwrite?: boolean;
  /** The change that the file already shows because an earlier, interrupted attempt wrote it. */
  half?: Origin | undefined;
}

export interface Edit {
  next: string | ReadDocument;
  /** Top-level fields, `markdown_body`, or `*`. */
  changed: string[];
  isRestored?: boolean;
  origin?: Origin;
  /** As in `Author`. */
  via?: string | undefined;
  guest?: string | undefined;
  /** Versions between the present and the new one that `origin.also` stores. */
  skippedVersions?: number;
}

/** Computes an edit of the present file; null leaves it as it is. It may be called again over a newer state. */
export type Decide = (reconciled: ReconciledFile) => Edit | null | Promise<Edit | null>;

/** `isWritten` is false if the edit left the file as it was. */
export interface Changed extends Saved {
  isWritten: boolean;
}

export interface ChangesOptions {
  findRow(project: Project, name: EntityName): Promise<EntityRow>;
  hooks: BeforeHooks;
  clock: Clock;
}

/** The one way to change an entity's content (README.md). */
export function createChanges({ findRow, hooks, clock }: ChangesOptions) {
  const now = () => isoTime(clock.now());

  /** Runs `work` under the entity's lock, and again over the newer state if its file was edited in between. */
  const alone = <Result>(project: Project, name: EntityName, work: () => Promise<Result>): Promise<Result> =>
    project.database.exclusive(entityLock(project, name.entity_type, name.entity_id), () =>
      retryOvertaken(work),
    );

  /**
   * Needs the lock of `alone`. Imports outside changes, computes the edit, then writes, stores and announces it. 409 and 412 as the
   * options say; 413 and 422 for an invalid text.
   */
  async function changeHeld(
    project: Project,
    template: TemplateDefinition,
    row: EntityRow,
    { half, overwrite = false, ...options }: ChangeOptions,
    decide: Decide,
  ): Promise<Changed> {
    const reconciled = await reconcileFile(project, template, row, {
      ...options,
      overwrite,
      now,
      ...(half && { origin: half }),
    });
    const edit = await decide(reconciled);
    if (edit === null) return { row: reconciled.row, isWritten: false };
    const saving = replaceText(project, template, reconciled, edit, options.actor);
    // Without `await`, so that nothing that was read is held while the disk is waited for.
    return saving.then((saved) => ({ ...saved, isWritten: true }));
  }

  /** 404 if the entity does not exist. */
  const change = (
    project: Project,
    template: TemplateDefinition,
    entityId: string,
    options: ChangeOptions,
    decide: Decide,
  ): Promise<Changed> => {
    const name = { entity_type: template.entity_type, entity_id: entityId };
    return alone(project, name, async () =>
      changeHeld(project, template, await findRow(project, name), options, decide),
    );
  };

  async function replaceText(
    project: Project,
    template: TemplateDefinition,
    { row, text: previousText, bytes: old }: ReconciledFile,
    { next, changed, isRestored = false, origin = BY_API, skippedVersions = 0, via, guest }: Edit,
    actor: string,
  ): Promise<Saved> {
    const given = typeof next === 'string' ? readable(project, next) : next;
    const at = now();
    const { source, operation_id, also } = origin;
    const planned = { template, entity_id: row.entity_id, row, document: given, actor, source };
    const { document, state, replaced } = await hooks.run(
      project,
      { ...planned, guest, isRestored, stateOf: (each) => stateOf(project, template, row, each) },
      origin,
    );
    const text = textOf(document);
    const stamp = {
      version: row.version + 1 + skippedVersions,
      created_at: row.created_at,
      updated_at: at,
      updated_by: actor,
      source,
      operation_id,
      via: viaOf([via, guest], replaced),
    };
    const allChanged = [...new Set([...changed, ...replaced.flatMap((one) => one.changed)])];
    const write = { state, previous: row, previousText, changed: allChanged, stamp, isRestored };
    const file = { path: row.path, newFolder: false };
    return publishFile(project, file, {
      put: async () => ({ stat: await writeOver(project, row, text, old) }),
      store: ({ stat }) => commitEntity(project, { write, stat, now }, also),
      putBack: () => project.files.write(row.path, old, { onlyOver: Buffer.from(text) }),
    });
  }

  return { alone, change, changeHeld };
}

/** Replaces only the bytes that were read: a newer edit by another user must be imported first. */
async function writeOver(project: Project, row: EntityRow, text: string, old: Uint8Array): Promise<FileStat> {
  try {
    return await project.files.write(row.path, text, { onlyOver: old });
  } catch (error) {
    if (error instanceof FilesError && ['changed', 'not_found'].includes(error.code)) throw overtaken(row);
    throw error;
  }
}
