import { formatOfText, type ImportFormat } from '../../content/import/index.ts';
import { invalid } from '../../kit/errors.ts';
import { IMPORT_LIMITS, type ImportFile, isHidden, pathFault } from './import-file.ts';

/** The content that a caller sends: one text, or files. */
export interface SentSources {
  content?: string | undefined;
  format?: ImportFormat | undefined;
  files?: readonly { path: string; content: string; encoding?: 'utf8' | 'base64' }[] | undefined;
}

export interface Sources {
  files: ImportFile[];
  format?: ImportFormat;
}

const utf8 = new TextEncoder();

const NO_BASE64 = /[^\w+/\s=-]/;

const refusal = (field: string, message: string, code: string) =>
  invalid(`body field '${field}': ${message}`, { code, errors: [{ field, message }] });

/** Throws 422 for an empty text. */
export function requireText(content: string): void {
  if (content.trim() === '')
    throw invalid('`content` is empty: there is nothing to import', { code: 'no_source' });
}

/** The files of a request's body. 422 for none, for both forms at once, and for names that are not paths in a folder. */
export function sourcesOf({ content, format, files }: SentSources): Sources {
  if ((content === undefined) === (files === undefined))
    throw invalid('Send either `content`, one text, or `files`, a list of {path, content}', {
      code: 'no_source',
    });
  if (content !== undefined) {
    requireText(content);
    return { files: [{ path: '', bytes: utf8.encode(content) }], format: format ?? formatOfText(content) };
  }
  const seen = new Set<string>();
  const given = files ?? [];
  if (given.length > IMPORT_LIMITS.files) throw invalid(`An import may have ${IMPORT_LIMITS.files} files`);
  for (const [index, { path, content: text, encoding }] of given.entries()) {
    const fault = pathFault(path) ?? (seen.has(path) ? 'another file has the same name' : null);
    if (fault !== null) throw refusal(`files.${index}.path`, fault, 'invalid_path');
    if (encoding === 'base64' && NO_BASE64.test(text))
      throw refusal(`files.${index}.content`, 'is no base64', 'invalid_content');
    seen.add(path);
  }
  return {
    files: given
      .filter(({ path }) => !isHidden(path))
      .map(({ path, content: text, encoding }) => ({
        path,
        bytes: encoding === 'base64' ? Buffer.from(text, 'base64') : utf8.encode(text),
      })),
  };
}
