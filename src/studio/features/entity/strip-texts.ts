import { defineTexts } from '../../kit/i18n/texts.ts';

/** Of what cannot be saved as it is, which few pages show. */
export const stripTexts = defineTexts(
  {
    conflict: (who: string) =>
      `${who} changed the same place. Both versions are kept; yours is on the screen.`,
    takeMine: 'Keep mine',
    takeBoth: 'Keep both',
    yours: 'Yours',
    compare: 'Compare',
    refused: (why: string) => `Not saved: ${why}`,
    gone: 'This entry was deleted. Your changes are kept here.',
    keepAsNew: 'Keep my text as a new entry',
    discard: 'Discard my changes',
    idTaken: (id: string) => `Another entry has this id. Save it as “${id}”?`,
    saveAs: (id: string) => `Save as ${id}`,
    text: 'Text',
    theirs: 'Theirs',
  },
  {
    conflict: (who) =>
      `${who} hat dieselbe Stelle geändert. Beide Fassungen sind erhalten; deine steht auf dem Schirm.`,
    takeMine: 'Meine behalten',
    takeBoth: 'Beide behalten',
    yours: 'Deine',
    compare: 'Vergleichen',
    refused: (why) => `Nicht gespeichert: ${why}`,
    gone: 'Dieser Eintrag wurde gelöscht. Deine Änderungen sind hier erhalten.',
    keepAsNew: 'Meinen Text als neuen Eintrag behalten',
    discard: 'Meine Änderungen verwerfen',
    idTaken: (id) => `Ein anderer Eintrag hat diese Kennung. Als „${id}“ speichern?`,
    saveAs: (id) => `Als ${id} speichern`,
    text: 'Text',
    theirs: 'Die andere',
  },
);
