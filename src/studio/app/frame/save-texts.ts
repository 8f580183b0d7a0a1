import { defineTexts } from '../../kit/i18n/texts.ts';

export const saveTexts = defineTexts(
  {
    saved: 'Saved',
    saving: 'Saving …',
    offline: (count: number) => `${count} kept here, offline`,
    service: (count: number) => `${count} kept here, service away`,
    'sign-in': (count: number) => `${count} kept here, signed out`,
    'no-name': 'Kept here until it has a name',
    conflict: 'Two versions differ',
    refused: 'Not saved',
    full: 'This browser has no room left: what you type is not kept in it, but saved to the service while that can be reached.',
    broken:
      'This browser keeps nothing of what you type. It is saved to the service while that can be reached.',
  },
  {
    saved: 'Gespeichert',
    saving: 'Speichert …',
    offline: (count) => `${count} hier bewahrt, offline`,
    service: (count) => `${count} hier bewahrt, Dienst weg`,
    'sign-in': (count) => `${count} hier bewahrt, abgemeldet`,
    'no-name': 'Hier bewahrt, bis es einen Namen hat',
    conflict: 'Zwei Fassungen unterscheiden sich',
    refused: 'Nicht gespeichert',
    full: 'Dieser Browser hat keinen Platz mehr: Was du tippst, wird nicht in ihm bewahrt, aber beim Dienst gespeichert, solange er erreichbar ist.',
    broken:
      'Dieser Browser bewahrt nichts von dem, was du tippst. Es wird beim Dienst gespeichert, solange er erreichbar ist.',
  },
);
