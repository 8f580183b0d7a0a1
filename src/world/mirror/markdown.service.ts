import {
  DocumentError,
  type DocumentProblem,
  decodeUtf8,
  formatDocument,
} from '../../content/frontmatter/index.ts';
import { entityFolder } from '../../content/paths/index.ts';
import { conflict, invalid, notFound } from '../../kit/errors.ts';
import { nameOf } from '../../text/paths.ts';
import type { Entities } from '../entities/index.ts';
import {
  type EntityRow,
  findEntityRow,
  missingEntity,
  type Project,
  type RecordsDb,
  storedFileText,
  unreadableFile,
} from '../records/index.ts';
import type { Mirror } from './mirror.service.ts';
import { succeeded } from './sync-reply.ts';

const actionOf = (before: EntityRow | undefined, after: EntityRow): 'created' | 'unchanged' | 'updated' => {
  if (before === undefined) return 'created';
  return before.version === after.version ? 'unchanged' : 'updated';
};

const refuseText = (problem: DocumentProblem) =>
  invalid(`line ${problem.line}, column ${problem.column}: ${problem.reason}`, {
    code: problem.code,
    errors: [{ field: 'content', message: problem.reason, line: problem.line }],
  });

/** Spec 1 §4.4. */
export function createMarkdown({ mirror, entities }: { mirror: Mirror; entities: Entities }) {
  async function storedText(project: Project, row: EntityRow): Promise<string> {
    const text = await project.database.read((db: RecordsDb) => storedFileText(db, row.row_id));
    if (text !== undefined) return text;
    throw missingEntity(row.entity_type, row.entity_id);
  }

  /** Returns the exact text of an entity's file, or the database's copy if the file is gone or unreadable. */
  async function exported(project: Project, type: string, id: string) {
    await entities.templateOf(project, type);
    const row = await entities.findRow(project, type, id);
    const isThere = (await project.files.stat(row.path)) !== undefined;
    const decoded = isThere ? decodeUtf8(await project.files.read(row.path)) : null;
    const content = decoded?.ok ? decoded.text : await storedText(project, row);
    return { entity_type: type, entity_id: id, filename: nameOf(row.path), content };
  }

  /** Writes the database's state to the entity's file. `overwrite` replaces a differing file, whose text goes to the revisions. */
  async function save(
    project: Project,
    type: string,
    id: string,
    request: { overwrite: boolean; actor: string },
  ) {
    const template = await entities.templateOf(project, type);
    const name = { entity_type: type, entity_id: id };
    // A second attempt would find the file's text in the database, since the first one imported it.
    let stored: string | undefined;
    const outcome = await entities.alone(project, name, async () => {
      const row = await entities.findRow(project, type, id);
      stored ??= await storedText(project, row);
      const text = stored;
      if ((await project.files.stat(row.path)) === undefined) {
        await project.files.write(row.path, text, { ifAbsent: true });
        return { row, isWritten: true };
      }
      const present = await project.files.read(row.path);
      if (Buffer.from(text).equals(present)) return { row, isWritten: false };
      if (!request.overwrite) {
        throw conflict(
          `${row.path} was changed outside. Import it with from-markdown, or send overwrite: true to replace it; its text is then kept in the revisions`,
          { code: 'file_differs' },
        );
      }
      return entities.changeHeld(project, template, row, request, () => ({ next: text, changed: [] }));
    });
    const { row, isWritten: written } = outcome;
    if (written) succeeded(await mirror.sync(project, { kind: 'paths', paths: [row.path] }));
    return { entity_type: type, entity_id: id, path: row.path, version: row.version, written };
  }

  const findRow = (project: Project, type: string, id: string) =>
    project.database.read((db: RecordsDb) => findEntityRow(db, project, type, id));

  /** Returns the actual or default path of an entity's file. 404 if there is no such entity. */
  async function placeOf(project: Project, type: string, id: string, row: EntityRow | undefined) {
    const template = await entities.templateOf(project, type);
    if (row && (await project.files.stat(row.path)) !== undefined) return row.path;
    const folder = entityFolder(template, id);
    const entries = await project.files.list(folder).catch(() => []);
    if (entries.some(({ kind, name }) => kind === 'file' && /\.md$/i.test(name))) return folder;
    throw notFound(`There is no markdown file of ${type} '${id}' (${row?.path ?? folder})`, {
      code: 'file_missing',
    });
  }

  /** Imports one entity's file. 409 with line and reason if it cannot be read. */
  async function load(project: Project, type: string, id: string) {
    const before = await findRow(project, type, id);
    const place = await placeOf(project, type, id, before);
    const report = succeeded(await mirror.sync(project, { kind: 'paths', paths: [place] }));
    const [problem] = report.invalid;
    if (problem) {
      const { path, line, reason } = problem;
      throw unreadableFile(`${path} cannot be read (line ${line}: ${reason}). Its entity stays as it was`, [
        problem,
      ]);
    }
    const row = await findRow(project, type, id);
    if (row === undefined) {
      throw conflict(`${place} does not hold ${type} '${id}': its frontmatter names another id`, {
        code: 'id_mismatch',
      });
    }
    return {
      entity_type: type,
      entity_id: id,
      path: row.path,
      version: row.version,
      action: actionOf(before, row),
    };
  }

  /** Normalises a document; 422 with the position if it cannot be read. */
  function format(content: string) {
    try {
      const formatted = formatDocument(content);
      return { content: formatted, changed: formatted !== content };
    } catch (error) {
      if (error instanceof DocumentError) throw refuseText(error.problem);
      throw error;
    }
  }

  return { exported, save, load, format };
}

export type Markdown = ReturnType<typeof createMarkdown>;
