import { DocumentError, editDocument, readDocument } from '../../../content/frontmatter/index.ts';
import {
  bumpMinorVersion,
  isLaterVersion,
  metadataFaults,
  metadataMessages,
} from '../../../content/template/index.ts';
import { invalid } from '../../../kit/errors.ts';
import { readTemplateText, type TemplateFile } from './template-kind.ts';

/** Keys that are left out stay as they are. */
export interface TemplateEdit {
  content?: string | undefined;
  frontmatter?: Record<string, unknown> | undefined;
  unset?: readonly string[] | undefined;
  markdown_body?: string | undefined;
}

/** 422 with the position of the problem in the text. */
export const refuseText = (problem: { reason: string; line: number | null; column: number | null }) => {
  const { reason, line, column } = problem;
  const place = line === null ? '' : ` (line ${line}, column ${column})`;
  const error = { field: 'content', message: reason, ...(line !== null && { line, column }) };
  return invalid(`The template cannot be used: ${reason}${place}. Nothing was changed`, {
    code: 'invalid_template',
    errors: [error],
  });
};

function edited(text: string, edit: Parameters<typeof editDocument>[1]): string {
  try {
    return editDocument(text, edit);
  } catch (error) {
    if (error instanceof DocumentError) throw refuseText(error.problem);
    throw error;
  }
}

/** 422 for a text that is not a template. */
export function parsed(path: string, text: string): TemplateFile {
  const read = readTemplateText(path, text, '');
  if ('file' in read) return read.file;
  throw refuseText(read.problem);
}

function withEdit(base: string, { frontmatter, unset, markdown_body }: TemplateEdit): string {
  if (frontmatter === undefined && unset === undefined && markdown_body === undefined) return base;
  return edited(base, {
    ...(frontmatter && { set: frontmatter }),
    ...(unset && { unset }),
    ...(markdown_body !== undefined && { body: markdown_body }),
  });
}

/** 422 for required metadata that is missing or wrong, unless the file already had that fault. */
function requireMetadata(file: TemplateFile, present: TemplateFile | null): void {
  const known = new Set(present ? faultsOf(present).map(({ field, message }) => `${field} ${message}`) : []);
  const errors = faultsOf(file).filter(({ field, message }) => !known.has(`${field} ${message}`));
  if (errors.length === 0) return;
  const reasons = metadataMessages(errors)
    .map(({ message }) => message)
    .join('; ');
  throw invalid(`The template cannot be used: ${reasons}. Nothing was changed`, {
    code: 'invalid_template',
    errors,
  });
}

const faultsOf = ({ definition }: TemplateFile) => metadataFaults(definition.metadata);

/**
 * The template's text after an edit. The minor version grows unless the author set a later one; `last_updated` follows if
 * the text has the key. `present` is null for a new or unreadable file. Throws 422 for a text that is not a template of its
 * name or lacks required metadata.
 */
export function nextText(
  path: string,
  present: TemplateFile | null,
  edit: TemplateEdit,
  today: string,
): TemplateFile {
  const text = withEdit(edit.content ?? present?.text ?? '', edit);
  const file = parsed(path, text);
  if (text === present?.text) return file;
  requireMetadata(file, present);
  if (present === null) return file;
  const { template_version: before } = present.definition;
  const read = readDocument(text);
  const set = {
    ...(!isLaterVersion(file.definition.template_version, before) && {
      template_version: bumpMinorVersion(before),
    }),
    ...(read.ok && 'last_updated' in read.data && { last_updated: today }),
  };
  return parsed(path, edited(text, { set }));
}
