import { defineTexts } from '../../kit/i18n/texts.ts';

export const acceptanceTexts = defineTexts(
  {
    accept: 'Accept …',
    acceptTitle: 'Accept this contradiction?',
    acceptDo: 'Accept',
    acceptedNow: 'Accepted',
    accepted: 'Accepted',
    acceptedWhy: (reason: string) => `Accepted: ${reason}`,
    reason: 'Why it is meant to be so',
    reasonHelp: 'It stands in the world’s own files, in _Rules/canon.md.',
    reopen: 'Accept no longer',
    reopenedNow: 'It is open again',
    failed: 'That could not be stored',
    cancel: 'Cancel',
    close: 'Close',
  },
  {
    accept: 'Hinnehmen …',
    acceptTitle: 'Diesen Widerspruch hinnehmen?',
    acceptDo: 'Hinnehmen',
    acceptedNow: 'Hingenommen',
    accepted: 'Hingenommen',
    acceptedWhy: (reason) => `Hingenommen: ${reason}`,
    reason: 'Warum das so gewollt ist',
    reasonHelp: 'Es steht in den Dateien der Welt, in _Rules/canon.md.',
    reopen: 'Nicht mehr hinnehmen',
    reopenedNow: 'Wieder offen',
    failed: 'Das ließ sich nicht festhalten',
    cancel: 'Abbrechen',
    close: 'Schließen',
  },
);
