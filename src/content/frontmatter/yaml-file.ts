import type { JsonMap } from '../../text/json.ts';
import { type DocumentEdit, editDocument } from './edit.ts';
import { type DocumentProblem, problemAtStart } from './problem.ts';
import { readDocument } from './read.ts';

const BOM = '\uFEFF';

export type YamlFileResult =
  | {
      ok: true;
      data: JsonMap;
      lineOf(path: readonly (string | number)[]): number;
      /** As `ReadDocument.sourceOf`. */
      sourceOf(path: readonly (string | number)[]): string | undefined;
    }
  | { ok: false; problem: DocumentProblem };

/** One YAML map, with the rules and limits of frontmatter. */
export function readYamlFile(text: string): YamlFileResult {
  const read = readDocument(framed(text).document);
  if (!read.ok) return { ok: false, problem: { ...read.problem, line: Math.max(1, read.problem.line - 1) } };
  if (read.body !== '') {
    const reason = 'the file must hold one YAML document: remove the line ---';
    return { ok: false, problem: problemAtStart('yaml', reason) };
  }
  return { ok: true, data: read.data, lineOf: (path) => read.lineOf(path) - 1, sourceOf: read.sourceOf };
}

/** Everything else stays byte for byte. Throws DocumentError. */
export function editYamlFile(text: string, edit: Omit<DocumentEdit, 'body'>): string {
  const { document, fence, bom, isOpen } = framed(text);
  const edited = editDocument(document, edit);
  const yaml = edited.slice(fence.length, edited.length - fence.length);
  return bom + (isOpen && yaml !== '' ? yaml.slice(0, -(fence.length - 3)) : yaml);
}

/** The text as the frontmatter of a document without a body. */
function framed(text: string) {
  const bom = text.startsWith(BOM) ? BOM : '';
  const yaml = text.slice(bom.length);
  const newline = yaml.includes('\r\n') ? '\r\n' : '\n';
  const isOpen = yaml !== '' && !yaml.endsWith('\n');
  const fence = `---${newline}`;
  return { document: `${fence}${yaml}${isOpen ? newline : ''}${fence}`, fence, bom, isOpen };
}
