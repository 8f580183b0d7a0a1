import { missingFrontmatter, splitDocument } from './split.ts';

/** An empty block; the body stays byte for byte. */
export function withFrontmatter(text: string): string {
  const { head, body } = splitDocument(text);
  return frame(head, body);
}

/** The head gets the line break or blank line that it needs so that the body reads back as given. */
export function withBody(text: string, body: string): string {
  const { head, newline, hasFrontmatter } = splitDocument(text);
  if (!hasFrontmatter) return readsAsBody(head + body, body) ? head + body : frame(head, body);
  const closed = head.endsWith('\n') ? head : head + newline;
  const whole = closed + body;
  return splitDocument(whole).body === body ? whole : closed + newline + body;
}

/** A body that begins like frontmatter would be read as one. */
function readsAsBody(text: string, body: string): boolean {
  const parts = splitDocument(text);
  return !parts.hasFrontmatter && parts.body === body && missingFrontmatter(text).code === 'no_frontmatter';
}

function frame(bom: string, body: string): string {
  const newline = /^[^\n]*\r\n/.test(body) ? '\r\n' : '\n';
  return `${bom}---${newline}---${newline}${body === '' ? '' : newline}${body}`;
}
