import { defineTexts } from '../../../kit/texts.ts';

export const texts = defineTexts(
  {
    view: 'Show as',
    map: 'Map',
    list: 'List',
    types: 'Types',
    farther: 'Two steps',
    field: (name: string): string => (name === 'markdown_body' ? 'mentions' : name),
    mapOf: (name: string, count: number): string =>
      `Relations of ${name}: ${count} ${count === 1 ? 'entry' : 'entries'}. Arrow keys go from one to the next, Enter opens it.`,
    node: (name: string, type: string, relations: string): string => `${name}, ${type}: ${relations}`,
    loading: 'Loading …',
    nothing: 'Nothing refers to this entry, and it refers to nothing',
    nothingWhy: 'Choose another entry in a field, or write [[id]] in the text: it appears here.',
    allHidden: 'All types are hidden. Choose one above.',
    unsaved: 'The map begins once the entry is saved.',
    truncated: (count: number): string => `There is more: these are the ${count} nearest entries.`,
    notAllowed: 'This plugin may not read entries. An admin can allow it on the page of plugins.',
    failed: (why: string): string => `The relations could not be loaded: ${why}`,
    again: 'Try again',
  },
  {
    view: 'Ansicht',
    map: 'Karte',
    list: 'Liste',
    types: 'Typen',
    farther: 'Zwei Schritte',
    field: (name) => (name === 'markdown_body' ? 'erwähnt' : name),
    mapOf: (name, count) =>
      `Beziehungen von ${name}: ${count} ${count === 1 ? 'Eintrag' : 'Einträge'}. Pfeiltasten führen von einem zum nächsten, die Eingabetaste öffnet ihn.`,
    node: (name, type, relations) => `${name}, ${type}: ${relations}`,
    loading: 'Wird geladen …',
    nothing: 'Nichts verweist auf diesen Eintrag, und er verweist auf nichts',
    nothingWhy:
      'Wählen Sie in einem Feld einen anderen Eintrag, oder schreiben Sie [[id]] in den Text: Er erscheint hier.',
    allHidden: 'Alle Typen sind ausgeblendet. Wählen Sie oben einen aus.',
    unsaved: 'Die Karte beginnt, sobald der Eintrag gespeichert ist.',
    truncated: (count) => `Es gibt mehr: Das sind die ${count} nächsten Einträge.`,
    notAllowed:
      'Dieses Plugin darf keine Einträge lesen. Admins können es auf der Seite der Plugins erlauben.',
    failed: (why) => `Die Beziehungen ließen sich nicht laden: ${why}`,
    again: 'Noch einmal versuchen',
  },
);

export type Words = (typeof texts)['en'];
