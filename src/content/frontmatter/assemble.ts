import { splitDocument } from './split.ts';

/** Puts an empty frontmatter block before a document that has none; its body stays byte for byte. */
export function withFrontmatter(text: string): string {
  const { head, body } = splitDocument(text);
  const newline = /^[^\n]*\r\n/.test(body) ? '\r\n' : '\n';
  const separator = body === '' ? '' : newline;
  return `${head}---${newline}---${newline}${separator}${body}`;
}

/** Replaces the body; the head gets the line break or blank line that it needs so that the body reads back as given. */
export function withBody(text: string, body: string): string {
  const { head, newline, hasFrontmatter } = splitDocument(text);
  if (!hasFrontmatter) {
    const plain = head + body;
    return /^---/.test(body) ? withFrontmatterBefore(head, body) : plain;
  }
  const closed = body === '' || head.endsWith('\n') ? head : head + newline;
  const whole = closed + body;
  return splitDocument(whole).body === body ? whole : closed + newline + body;
}

/** A body that begins like frontmatter needs an empty block before it, or it would be read as one. */
function withFrontmatterBefore(bom: string, body: string): string {
  const newline = /^[^\n]*\r\n/.test(body) ? '\r\n' : '\n';
  return `${bom}---${newline}---${newline}${newline}${body}`;
}
