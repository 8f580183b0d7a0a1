import type { Drafts } from '../data/drafts/drafts.ts';
import { downloadText } from '../kit/ui/download-text.ts';

/** Gives the user everything that is unsaved as a file. */
export const downloadChanges = (drafts: Drafts): void => downloadText(drafts.asText(), 'canonry-changes.md');
