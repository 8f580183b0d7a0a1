import { type ReadResult, readDocument } from '../frontmatter/index.ts';

/** Each file is parsed once. Null without a text, or if it is unreadable. */
export function createLines<File>(textOf: (file: File) => string | undefined) {
  const documents = new Map<File, ReadResult>();
  return (file: File, path: readonly (string | number)[]): number | null => {
    const document = documents.get(file) ?? readDocument(textOf(file) ?? '');
    documents.set(file, document);
    return document.ok ? document.lineOf(path) : null;
  };
}
