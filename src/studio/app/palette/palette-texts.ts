import { defineTexts } from '../../kit/i18n/texts.ts';

export const paletteTexts = defineTexts(
  {
    nothingFound: (text: string) => `Nothing is named “${text}”.`,
    searchTexts: (text: string) => `Search all texts for “${text}”`,
  },
  {
    nothingFound: (text) => `Nichts heißt „${text}“.`,
    searchTexts: (text) => `Alle Texte nach „${text}“ durchsuchen`,
  },
);
