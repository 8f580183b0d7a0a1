import type { Drafts } from '../data/drafts/drafts.ts';

/** Gives the user everything that is unsaved as a file. */
export function downloadChanges(drafts: Drafts): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([drafts.asText()], { type: 'text/markdown' }));
  link.download = 'canonry-changes.md';
  link.click();
  URL.revokeObjectURL(link.href);
}
