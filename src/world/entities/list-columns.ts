import type { TemplateDefinition } from '../../content/template/index.ts';
import { invalid } from '../../kit/errors.ts';
import type { Project } from '../records/index.ts';
import type { Column } from './column-rows.store.ts';
import { findUnknown } from './known-paths.ts';

/** They stand beside the fields in an entity's reply. */
const ATTRIBUTES = [
  'name',
  'status',
  'is_valid',
  'created_at',
  'updated_by',
  'primary_asset',
  'production_status',
  'template_version',
] as const;

const MOST_COLUMNS = 50;
const DEEPEST_PATH = 20;

const refusal = (message: string) =>
  invalid(`query parameter 'columns' ${message}`, {
    code: 'invalid_columns',
    errors: [{ field: 'columns', message }],
  });

/** Parses `name,status,arc.beginning`. 422 for what neither the template nor any entity of the type has. */
export async function columnsOf(
  project: Project,
  template: TemplateDefinition,
  list: string,
): Promise<Column[]> {
  const names = [...new Set(list.split(',').map((name) => name.trim()))];
  if (names.length > MOST_COLUMNS) throw refusal(`may name ${MOST_COLUMNS} fields, not ${names.length}`);
  const columns = names.map(columnNamed);
  const fields = columns.flatMap(({ path: [first, ...path] }) => (first === 'fields' ? [path] : []));
  const unknown = await findUnknown(project, template, fields);
  if (unknown === undefined) return columns;
  const type = template.entity_type;
  throw refusal(
    `names '${unknown.path.join('.').slice(0, 100)}', which is no field of ${type}, nor one that any ${type} has${unknown.hint}`,
  );
}

function columnNamed(name: string): Column {
  if (ATTRIBUTES.some((attribute) => attribute === name)) return { name, path: [name] };
  const path = name.split('.');
  if (path.includes('') || path.length > DEEPEST_PATH)
    throw refusal('must have the form field,field,field.inner');
  return { name, path: ['fields', ...path] };
}
