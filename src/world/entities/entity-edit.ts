import {
  assetPathFault,
  checkFieldsForWrite,
  type EntityPatch,
  entityDataEdit,
} from '../../content/entity/index.ts';
import { changeDocument, DocumentError, type ReadDocument } from '../../content/frontmatter/index.ts';
import { productionStatusFaults } from '../../content/production-status.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { invalid } from '../../kit/errors.ts';

export interface UpdateInput {
  name?: string | undefined;
  status?: string | undefined;
  fields?: Record<string, unknown> | undefined;
  markdown_body?: string | undefined;
  primary_asset?: string | null | undefined;
  production_status?: unknown;
  overwrite?: boolean | undefined;
}

/** A name is one line: lists and headings could not show a line break, and a BOM is invisible. */
const NOT_IN_NAMES = /[\n\v\f\r\u0085\u2028\u2029\uFEFF]/u;

export const requireName = (name: string): string => {
  if (name.trim() === '')
    throw invalid('The name must not be empty', { errors: [{ field: 'name', message: 'is empty' }] });
  if (NOT_IN_NAMES.test(name))
    throw invalid('The name must be one line, without line breaks and byte order marks: take them out', {
      errors: [{ field: 'name', message: 'holds a line break or a byte order mark' }],
    });
  return name;
};

const requireFields = (template: TemplateDefinition, fields: Record<string, unknown>): void => {
  const errors = checkFieldsForWrite(template, fields);
  const first = errors[0];
  if (first) throw invalid(`fields.${first.field} ${first.message}`, { code: 'invalid_fields', errors });
};

const present = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;

const requireProductionStatus = (given: unknown): void => {
  const errors = productionStatusFaults(given).map(({ field, message }) => ({ field, message }));
  const first = errors[0];
  if (first)
    throw invalid(`${first.field} ${first.message}. Nothing was changed`, {
      code: 'invalid_production_status',
      errors,
    });
};

const requireAssetPath = (path: string | null | undefined): void => {
  const fault = assetPathFault(path ?? '');
  if (fault === null) return;
  throw invalid(`primary_asset ${fault}. Nothing was changed`, {
    code: 'invalid_path',
    errors: [{ field: 'primary_asset', message: fault }],
  });
};

/** Throws 422 for an invalid name, field, asset path or `production_status`. */
export function requireUpdate(template: TemplateDefinition, update: UpdateInput): void {
  const { name, fields, production_status: productionStatus } = update;
  if (name !== undefined) requireName(name);
  requireFields(template, fields ?? {});
  requireProductionStatus(productionStatus);
  requireAssetPath(update.primary_asset);
}

export function editEntity(
  template: TemplateDefinition,
  source: ReadDocument,
  { markdown_body: body, overwrite: _, ...attributes }: UpdateInput,
  today: string,
): { changed: string[]; document: ReadDocument } {
  const patch = { ...present(attributes), today } as EntityPatch;
  const edit = entityDataEdit(template, source.data, patch);
  const bodyChanges = body !== undefined && body !== source.body;
  if (bodyChanges && Object.hasOwn(source.data, 'last_updated')) edit.set.last_updated = today;
  const changed = [
    ...Object.keys(edit.set).filter((key) => key !== 'last_updated'),
    ...(bodyChanges ? ['markdown_body'] : []),
  ];
  const document = written(() => changeDocument(source, { ...edit, ...(bodyChanges && { body }) }));
  return { changed, document };
}

/** An error of the codec becomes 422. */
export function written(write: () => ReadDocument): ReadDocument {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const { reason, code } = error.problem;
    throw invalid(`The entity's file cannot hold this: ${reason}. Nothing was changed`, { code });
  }
}
