import type { Finding } from '../../domain/findings.ts';
import { defineTexts, useTexts } from '../../kit/i18n/texts.ts';
import { findingTexts } from './finding-texts.ts';

const fileTexts = defineTexts(
  { copy: 'Copy the path', copied: 'The path is copied' },
  { copy: 'Pfad kopieren', copied: 'Der Pfad ist kopiert' },
);

/** Where a file that cannot be read is, and the words with which its path is copied; null for other findings. */
export function useFilePlace({ group, evidence: [first] }: Finding) {
  const texts = useTexts(findingTexts);
  const words = useTexts(fileTexts);
  if (group !== 'files' || !first?.file) return null;
  return { path: first.file, place: texts.place(first.file, first.line), ...words };
}
