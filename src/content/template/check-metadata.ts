import { didYouMean } from '../../text/near.ts';
import { productionStatusFaults } from '../production-status.ts';
import type { LineOf, TemplateProblem } from './types.ts';

const STATUSES = ['active', 'archived', 'draft'];
const DATE = /^(\d{4}-\d{2}-\d{2})(?:$|T)/;

type Metadata = Readonly<Record<string, unknown>>;

/** `message` follows the field's name, as in `status is missing`. */
export interface MetadataFault {
  field: string;
  message: string;
}

const MISSING = 'is missing';

function isDate(text: string): boolean {
  const day = DATE.exec(text)?.[1];
  // Months forgive days that they lack: 30 February is read as 1 or 2 March.
  return day !== undefined && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
}

/** Undefined if the text has the required form. */
const REQUIRED: Readonly<Record<string, (text: string) => string | undefined>> = {
  template_version: (text) =>
    /^\d+(\.\d+)*$/.test(text) ? undefined : `"${text}" is not a version, such as "2.0"`,
  id: () => undefined,
  entity_type: () => undefined,
  created_date: dateFault,
  last_updated: dateFault,
  status: (text) =>
    STATUSES.includes(text)
      ? undefined
      : `"${text}" is not one of ${STATUSES.join(', ')}${didYouMean(text, STATUSES)}`,
};

function dateFault(text: string): string | undefined {
  return isDate(text) ? undefined : `"${text}" is not a date, such as "2026-01-31"`;
}

function requiredFaults(metadata: Metadata): MetadataFault[] {
  return Object.entries(REQUIRED).flatMap(([field, faultOf]) => {
    const value = metadata[field];
    if (value === undefined || value === null || value === '') return [{ field, message: MISSING }];
    // YAML reads an unquoted 2.0 as a number.
    const message = typeof value === 'object' ? 'must be text' : faultOf(String(value));
    return message === undefined ? [] : [{ field, message }];
  });
}

/** The demands of spec 1 §2.2 that the frontmatter does not meet. */
export function metadataFaults(metadata: Metadata): MetadataFault[] {
  const production = productionStatusFaults(metadata.production_status);
  return [...requiredFaults(metadata), ...production.map(({ field, message }) => ({ field, message }))];
}

/** Without a full stop; what is missing is listed together. */
export function metadataMessages(faults: readonly MetadataFault[]): { field: string; message: string }[] {
  const missing = faults.filter(({ message }) => message === MISSING).map(({ field }) => field);
  const [first] = missing;
  const told = `the metadata ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`;
  const others = faults.filter(({ message }) => message !== MISSING);
  return [
    ...(first === undefined ? [] : [{ field: first, message: told }]),
    ...others.map(({ field, message }) => ({ field, message: `${field} ${message}` })),
  ];
}

/** The template is used all the same. */
export function metadataProblems(metadata: Metadata, lineOf: LineOf): TemplateProblem[] {
  return metadataMessages(metadataFaults(metadata)).map(({ field, message }) => {
    const line = lineOf(field.split('.')) ?? lineOf(['entity_type']);
    return { message, severity: 'warning' as const, field, ...(line === undefined ? {} : { line }) };
  });
}
