import { productionStatusFaults } from '../production-status.ts';
import type { TemplateDefinition } from '../template/index.ts';
import { assetPathFault } from './asset-path.ts';
import { primaryAssetKey, readName, readPrimaryAsset, readTemplateVersion } from './attributes.ts';
import { checkValue, type Path } from './check.ts';
import { type CompiledTemplate, compiled } from './compiled.ts';
import { withDefaults } from './defaults.ts';
import { isEntityId, nameFromId } from './ids.ts';
import { ruleErrors } from './rule-errors.ts';
import {
  ENTITY_STATUSES,
  type EntityContent,
  type EntityDocument,
  type ValidationCode,
  type ValidationError,
} from './types.ts';

const STATUSES: ReadonlySet<string> = new Set(ENTITY_STATUSES);
const WARNINGS: ReadonlySet<ValidationCode> = new Set([
  'unknown_status',
  'unknown_key',
  'invalid_id',
  'inexact_number',
]);

type Complain = (path: Path, code: ValidationCode, message: string) => void;

/** Spec 1 §2.1. Tolerant: a value of the wrong type, an unknown status or an odd id is kept and reported with its line. */
export function entityFromDocument(template: TemplateDefinition, document: EntityDocument): EntityContent {
  const { data, body } = document;
  const plan = compiled(template);
  const errors: ValidationError[] = [];
  const complain = complaints(document, errors);
  const entityId = readId(document, complain);
  const own = ownFields(plan, data);
  const fields = withDefaults(plan.fields, own);
  checkFields(plan, own, fields, complain);
  reportInexact(own, [], complain);
  checkType(template, data, complain);
  const status = readStatus(data, complain);
  for (const { field, code, message } of productionStatusFaults(data.production_status)) {
    complain(field.split('.'), code, message);
  }
  const primaryAsset = readPrimaryAsset(data);
  const pathFault = primaryAsset === null ? null : assetPathFault(primaryAsset);
  if (pathFault !== null) {
    const key = primaryAssetKey(data);
    complain([key], 'invalid_path', `${key} ${pathFault}`);
  }
  const content = {
    entity_type: template.entity_type,
    entity_id: entityId,
    name: readNameOrId(data, entityId, complain),
    status,
    production_status: data.production_status ?? null,
    primary_asset: primaryAsset,
    template_version: readTemplateVersion(data),
    own_fields: own,
    fields,
    markdown_body: body,
  };
  errors.push(...ruleErrors(template, content, document.lineOf));
  return { ...content, validation_errors: errors, is_valid: errors.length === 0 };
}

function complaints(document: EntityDocument, errors: ValidationError[]): Complain {
  return (path, code, message) => {
    const line = path.length === 0 ? undefined : document.lineOf?.(path);
    const field = path.length === 0 ? null : path.join('.');
    errors.push({
      field,
      message,
      code,
      ...(line === undefined ? {} : { line }),
      severity: severityOf(code),
    });
  };
}

function severityOf(code: ValidationCode): 'error' | 'warning' {
  return WARNINGS.has(code) ? 'warning' : 'error';
}

function ownFields(plan: CompiledTemplate, data: Record<string, unknown>): Record<string, unknown> {
  const own: Record<string, unknown> = {};
  for (const key of Object.keys(data)) {
    if (!plan.hidden.has(key)) own[key] = data[key];
  }
  return own;
}

function checkFields(
  plan: CompiledTemplate,
  own: Record<string, unknown>,
  fields: Record<string, unknown>,
  complain: Complain,
): void {
  for (const field of plan.fields) {
    if (Object.hasOwn(own, field.name)) checkValue(field, own[field.name], [field.name], complain);
    if (field.required && isEmpty(fields[field.name])) {
      complain([field.name], 'required', `${field.label} is required and is empty`);
    }
  }
}

/** The reply shows such a number rounded; the file keeps it. */
function reportInexact(value: unknown, path: Path, complain: Complain): void {
  if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) {
      const entry = (value as Record<string, unknown>)[key];
      if (typeof entry === 'string') continue;
      reportInexact(entry, [...path, Array.isArray(value) ? Number(key) : key], complain);
    }
  } else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    complain(
      path,
      'inexact_number',
      `${path.join('.')} has more digits than a number can hold: put quotes around it`,
    );
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function checkType(template: TemplateDefinition, data: Record<string, unknown>, complain: Complain): void {
  const type = data.entity_type;
  if (type === undefined || type === null || type === template.entity_type) return;
  const message = `entity_type is ${JSON.stringify(type)}, but the file lies in the folder of "${template.entity_type}"`;
  complain(['entity_type'], 'entity_type_mismatch', message);
}

/** The frontmatter's id if it can be one, else the folder's name. */
function readId({ data, folderId }: EntityDocument, complain: Complain): string {
  const { id } = data;
  // A number may have lost leading zeros or digits, the folder has not.
  const given = typeof id === 'number' ? (isEntityId(folderId) ? folderId : String(id)) : id;
  if (typeof given === 'string' && isEntityId(given)) return given;
  if (id !== undefined && id !== null && id !== '') {
    const message = `id ${JSON.stringify(id)} cannot be an id (lower-case letters, digits and underscores); the folder's name is used`;
    complain(['id'], 'invalid_id', message);
  } else if (!isEntityId(folderId)) {
    const message = `the folder's name "${folderId}" is not a valid id: use lower-case letters, digits and underscores`;
    complain([], 'invalid_id', message);
  }
  return folderId;
}

function readNameOrId(data: Record<string, unknown>, entityId: string, complain: Complain): string {
  if (typeof data.name === 'object' && data.name !== null)
    complain(['name'], 'invalid_name', 'name must be text');
  if (typeof data.name === 'string' && isNoOneLine(data.name))
    complain(['name'], 'invalid_name', 'name must be one line, without line breaks and byte order marks');
  return readName(data)?.name ?? nameFromId(entityId);
}

/** The line break at the end of a YAML block is not part of the name. */
const isNoOneLine = (name: string): boolean =>
  /\uFEFF/u.test(name) || /[\n\v\f\r\u0085\u2028\u2029]/u.test(name.trim());

function readStatus(data: Record<string, unknown>, complain: Complain): string {
  const { status } = data;
  if (status === undefined || status === null || status === '') return 'active';
  if (typeof status === 'string' && STATUSES.has(status)) return status;
  const text = typeof status === 'string' ? status : JSON.stringify(status);
  complain(['status'], 'unknown_status', `status "${text}" is not one of ${ENTITY_STATUSES.join(', ')}`);
  return text;
}
