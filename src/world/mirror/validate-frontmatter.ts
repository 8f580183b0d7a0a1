import { entityFromDocument, isEntityId } from '../../content/entity/index.ts';
import { decodeUtf8, readDocument } from '../../content/frontmatter/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { invalid, notFound } from '../../kit/errors.ts';
import type { TemplateSet } from '../definitions/index.ts';
import type { Project } from '../records/index.ts';
import { folderNameOf } from '../texts/index.ts';

export interface FrontmatterFault {
  line: number;
  column: number;
  message: string;
  field?: string;
}

export interface FrontmatterCheck {
  valid: boolean;
  errors: FrontmatterFault[];
  warnings: FrontmatterFault[];
  data: Record<string, unknown> | null;
}

export interface CheckRequest {
  content?: string | undefined;
  path?: string | undefined;
  entity_type?: string | undefined;
}

const refused = (errors: FrontmatterFault[]): FrontmatterCheck => ({
  valid: false,
  errors,
  warnings: [],
  data: null,
});

/** Checks a text or a file of the project, and with a type also its values against the template. Nothing is changed. */
export async function checkFrontmatter(
  project: Project,
  set: TemplateSet,
  request: CheckRequest,
): Promise<FrontmatterCheck> {
  const { content, path } = request;
  if ((content === undefined) === (path === undefined)) throw invalid('Send either content or path');
  const template = templateOf(set, request);
  if (content !== undefined) return checkText(content, template, null);
  const bytes = await readMarkdown(project, path ?? '');
  const decoded = decodeUtf8(bytes);
  if (decoded.ok) return checkText(decoded.text, template, folderNameOf(path ?? ''));
  const { line, column, reason } = decoded.problem;
  return refused([{ line, column, message: reason }]);
}

function templateOf(set: TemplateSet, { path, entity_type }: CheckRequest): TemplateDefinition | undefined {
  if (entity_type === undefined)
    return path === undefined ? undefined : set.byFolder.get(path.split('/')[0] ?? '');
  const template = set.types.get(entity_type);
  if (template) return template;
  throw notFound(`There is no entity type '${entity_type}' in this project`, { code: 'unknown_type' });
}

async function readMarkdown(project: Project, path: string): Promise<Uint8Array> {
  const hidden = path.split('/').some((part) => part.startsWith('.'));
  const isMarkdown = /\.md$/i.test(path) && !hidden;
  if (!isMarkdown) throw invalid(`'${path}' is not a markdown file of the project`, { code: 'bad_path' });
  const stat = await project.files.stat(path);
  if (stat !== undefined) return project.files.read(path);
  throw notFound(`There is no file ${path}`, { code: 'no_such_file' });
}

function checkText(
  text: string,
  template: TemplateDefinition | undefined,
  folder: string | null,
): FrontmatterCheck {
  const read = readDocument(text);
  if (!read.ok) {
    const { line, column, reason } = read.problem;
    return refused([{ line, column, message: reason }]);
  }
  const { data, body, lineOf } = read;
  if (template === undefined) return { valid: true, errors: [], warnings: [], data };
  const ownId = typeof data.id === 'string' && isEntityId(data.id) ? data.id : 'unnamed';
  const entity = entityFromDocument(template, { data, body, folderId: folder ?? ownId, lineOf });
  const findings = entity.validation_errors.map(({ field, message, line, severity }) => ({
    severity,
    finding: { line: line ?? 1, column: 1, message, ...(field !== null && { field }) },
  }));
  const of = (wanted: string) =>
    findings.filter(({ severity }) => severity === wanted).map(({ finding }) => finding);
  return { valid: of('error').length === 0, errors: of('error'), warnings: of('warning'), data };
}
