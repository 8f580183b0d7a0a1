import { plural } from '../../kit/i18n/format.ts';
import { defineTexts } from '../../kit/i18n/texts.ts';

/** Of the dialogs, which are loaded when they open. */
export const dialogTexts = defineTexts(
  {
    saveFirst: 'Your changes are not saved yet. Save them, or settle what differs, then try again.',
    cancel: 'Cancel',
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteWhy: 'It goes to the recycle bin, from where it can be brought back.',
    deleteReferrers: (count: number) =>
      count === 0
        ? 'Nothing refers to it.'
        : plural(count, {
            one: 'One reference leads to it and will lead nowhere.',
            other: `${count} references lead to it and will lead nowhere.`,
          }),
    deleteDo: 'Delete',
    renameTitle: 'Change the id',
    renameId: 'New id',
    renameHelp: 'The name of its file. Everything that refers to it follows.',
    renameTouches: (count: number) =>
      plural(count, {
        one: 'One other file changes with it.',
        other: `${count} other files change with it.`,
      }),
    renameDo: 'Change the id',
    renamed: (id: string) => `The id is now ${id}.`,
    takeBack: 'Take back',
    renameUndone: 'The id is as it was.',
    renameUndonePartly: (count: number) =>
      `The id is as it was, but not in files that were changed since (${count}).`,
    renameFailed: 'The id could not be changed',
    makeTitle: (name: string) => `New entry “${name}”`,
    makeType: 'Type',
    makeDo: 'Make it',
  },
  {
    saveFirst:
      'Deine Änderungen sind noch nicht gespeichert. Speichere sie oder kläre, was sich unterscheidet, und versuche es noch einmal.',
    cancel: 'Abbrechen',
    deleteTitle: (name) => `${name} löschen?`,
    deleteWhy: 'Der Eintrag kommt in den Papierkorb und lässt sich zurückholen.',
    deleteReferrers: (count) =>
      count === 0
        ? 'Nichts bezieht sich darauf.'
        : plural(count, {
            one: 'Ein Bezug führt dorthin und ginge dann ins Leere.',
            other: `${count} Bezüge führen dorthin und gingen dann ins Leere.`,
          }),
    deleteDo: 'Löschen',
    renameTitle: 'Kennung ändern',
    renameId: 'Neue Kennung',
    renameHelp: 'Der Name der Datei. Alles, was sich darauf bezieht, folgt.',
    renameTouches: (count) =>
      plural(count, {
        one: 'Eine andere Datei ändert sich mit.',
        other: `${count} andere Dateien ändern sich mit.`,
      }),
    renameDo: 'Kennung ändern',
    renamed: (id) => `Die Kennung ist jetzt ${id}.`,
    takeBack: 'Zurücknehmen',
    renameUndone: 'Die Kennung ist wieder, wie sie war.',
    renameUndonePartly: (count) =>
      `Die Kennung ist wieder, wie sie war, nur nicht in Dateien, die seither geändert wurden (${count}).`,
    renameFailed: 'Die Kennung ließ sich nicht ändern',
    makeTitle: (name) => `Neuer Eintrag „${name}“`,
    makeType: 'Typ',
    makeDo: 'Anlegen',
  },
);
