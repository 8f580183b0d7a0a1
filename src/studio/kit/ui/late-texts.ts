import { defineTexts } from '../i18n/texts.ts';

export const lateTexts = defineTexts(
  {
    failed: 'This part could not be loaded: the network is away, or Canonry has a new version.',
    title: 'Not loaded',
    retry: 'Try again',
    reload: 'Load the page again',
    close: 'Close',
  },
  {
    failed: 'Dieser Teil ließ sich nicht laden: Das Netz ist weg, oder Canonry hat eine neue Version.',
    title: 'Nicht geladen',
    retry: 'Noch einmal versuchen',
    reload: 'Seite neu laden',
    close: 'Schließen',
  },
);
