import type { EditorMessages } from '../../../kit/editor/messages.ts';
import { plural } from '../../../kit/i18n/format.ts';
import { defineTexts } from '../../../kit/i18n/texts.ts';

export const editorTexts = defineTexts<EditorMessages>(
  {
    description: 'Markdown. Escape, then Tab leaves the text. Two opening brackets link to an entry.',
    missingEntity: (id) => `There is no entry “${id}”`,
    makeEntity: (name) => `New entry “${name}”`,
    uploading: (fileName) => `Uploading ${fileName} …`,
    missingPicture: (path) => `There is no picture ${path}`,
    openPicture: 'Open the picture',
    done: 'Done',
    unlinkedNames: (count) =>
      plural(count, { one: '1 name could be a link', other: `${count} names could be links` }),
    linkOne: (name) => `Link ${name}`,
    linkAll: 'Link all',
    skip: 'Skip',
    close: 'Close',
    find: 'Find in the text',
    found: (place, count) => (place > 0 ? `${place} of ${count}` : `${count} found`),
    next: 'Next',
    previous: 'Previous',
    replaceWith: 'Replace with',
    replace: 'Replace',
    replaceAll: 'Replace all',
    findPhrases: {
      'current match': 'Found',
      'on line': 'on line',
      'replaced match on line $': 'Replaced on line $',
      'replaced $ matches': 'Replaced $',
    },
  },
  {
    description:
      'Markdown. Escape, dann Tab verlässt den Text. Zwei öffnende Klammern verknüpfen einen Eintrag.',
    missingEntity: (id) => `Einen Eintrag „${id}“ gibt es nicht`,
    makeEntity: (name) => `Neuer Eintrag „${name}“`,
    uploading: (fileName) => `${fileName} wird hochgeladen …`,
    missingPicture: (path) => `Ein Bild ${path} gibt es nicht`,
    openPicture: 'Bild öffnen',
    done: 'Fertig',
    unlinkedNames: (count) =>
      plural(count, { one: '1 Name könnte ein Verweis sein', other: `${count} Namen könnten Verweise sein` }),
    linkOne: (name) => `${name} verknüpfen`,
    linkAll: 'Alle verknüpfen',
    skip: 'Überspringen',
    close: 'Schließen',
    find: 'Im Text suchen',
    found: (place, count) => (place > 0 ? `${place} von ${count}` : `${count} gefunden`),
    next: 'Weiter',
    previous: 'Zurück',
    replaceWith: 'Ersetzen durch',
    replace: 'Ersetzen',
    replaceAll: 'Alle ersetzen',
    findPhrases: {
      'current match': 'Gefunden',
      'on line': 'in Zeile',
      'replaced match on line $': 'In Zeile $ ersetzt',
      'replaced $ matches': '$ ersetzt',
    },
  },
);
