import type { SyntaxNode } from '@lezer/common';

const ESCAPED = /\\([!-/:-@[-`{-~])/g;

/** As labels are compared. */
export const labelOf = (label: string): string =>
  label
    .replace(/^\[|\]$/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/** `[label]: address`, by label; the first one counts. */
export function addressesOf(text: string, document: SyntaxNode): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>();
  const cursor = document.cursor();
  do {
    if (cursor.name !== 'LinkReference') continue;
    const [label, url] = [cursor.node.getChild('LinkLabel'), cursor.node.getChild('URL')];
    if (!label || !url) continue;
    const key = labelOf(text.slice(label.from, label.to));
    if (!addresses.has(key)) addresses.set(key, text.slice(url.from, url.to));
  } while (cursor.next());
  return addresses;
}

/** Without what markdown needs to write it. */
export const addressOf = (written: string): string =>
  written
    .replace(/^<(.*)>$/, '$1')
    .replaceAll(ESCAPED, '$1')
    .replaceAll('&amp;', '&');
