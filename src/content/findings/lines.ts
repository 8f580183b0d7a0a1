import { type ReadResult, readDocument } from '../frontmatter/index.ts';

/**
 * Looks up the lines of paths in files, each of which is parsed once. Null in a file without a text, or with one that
 * cannot be read.
 */
export function createLines<File>(textOf: (file: File) => string | undefined) {
  const documents = new Map<File, ReadResult>();
  return (file: File, path: readonly (string | number)[]): number | null => {
    const document = documents.get(file) ?? readDocument(textOf(file) ?? '');
    documents.set(file, document);
    return document.ok ? document.lineOf(path) : null;
  };
}
