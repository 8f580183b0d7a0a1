import { plural } from '../../../kit/i18n/format.ts';
import { defineTexts } from '../../../kit/i18n/texts.ts';

export const frameTexts = defineTexts(
  {
    frame: (title: string, plugin: string) => (title === plugin ? title : `${title} (${plugin})`),
    silent: (plugin: string) => `${plugin} does not answer.`,
    stopped: (plugin: string) => `${plugin} was stopped: it sent too many messages, or too large ones.`,
    again: 'Load it again',
    changed: (plugin: string, names: string, count: number) =>
      plural(count, {
        one: `${plugin} changed the field ${names}.`,
        other: `${plugin} changed the fields ${names}.`,
      }),
    undo: 'Undo',
    overlapped: (plugin: string, names: string) =>
      `${plugin} wanted to change ${names}. That was changed meanwhile, and stays as it is.`,
    stayed: (names: string) => `Not undone: ${names}. That was changed since, and stays as it is.`,
    notOpened: 'Nothing was changed: the entry cannot be loaded now.',
    made: (plugin: string, file: string) => `${plugin} has made the file ${file}.`,
    saveFile: 'Save file',
    text: 'text',
    name: 'name',
    status: 'status',
    primary_asset: 'picture',
    production_status: 'production',
    more: (names: string, count: number) => `${names} and ${count} more`,
    unfit: (plugin: string, names: string) =>
      `${plugin} wanted to give ${names} a value that cannot be there.`,
    notGranted: (plugin: string) =>
      `${plugin} wants to change this entry and is not allowed to. An admin can allow it on the page of plugins.`,
    notYours: (plugin: string) =>
      `${plugin} wants to change this entry. That needs somebody who may change entries.`,
    unfitWidget: (plugin: string) => `${plugin} gave a value that this field cannot have.`,
    open: 'Show',
    close: 'Close',
    gone: 'There is no such page',
    goneWhy: 'The plugin was removed or disabled, or it has no such page any more.',
    toPlugins: 'Plugins of this world',
    failed: 'The plugins of this world could not be loaded: the service does not answer.',
    retry: 'Try again',
  },
  {
    frame: (title, plugin) => (title === plugin ? title : `${title} (${plugin})`),
    silent: (plugin) => `${plugin} antwortet nicht.`,
    stopped: (plugin) => `${plugin} wurde angehalten: Es hat zu viele oder zu große Nachrichten geschickt.`,
    again: 'Neu laden',
    changed: (plugin, names, count) =>
      plural(count, {
        one: `${plugin} hat das Feld ${names} geändert.`,
        other: `${plugin} hat die Felder ${names} geändert.`,
      }),
    undo: 'Rückgängig',
    overlapped: (plugin, names) =>
      `${plugin} wollte ${names} ändern. Das wurde inzwischen geändert und bleibt, wie es ist.`,
    stayed: (names) =>
      `Nicht rückgängig gemacht: ${names}. Das wurde seither geändert und bleibt, wie es ist.`,
    notOpened: 'Es wurde nichts geändert: Der Eintrag lässt sich jetzt nicht laden.',
    made: (plugin, file) => `${plugin} hat die Datei ${file} erstellt.`,
    saveFile: 'Datei speichern',
    text: 'Text',
    name: 'Name',
    status: 'Status',
    primary_asset: 'Bild',
    production_status: 'Produktion',
    more: (names, count) => `${names} und ${count} weitere`,
    unfit: (plugin, names) => `${plugin} wollte ${names} einen Wert geben, der dort nicht stehen kann.`,
    notGranted: (plugin) =>
      `${plugin} möchte diesen Eintrag ändern und darf es nicht. Admins können es auf der Seite der Plugins erlauben.`,
    notYours: (plugin) =>
      `${plugin} möchte diesen Eintrag ändern. Dafür braucht es jemanden, der Einträge ändern darf.`,
    unfitWidget: (plugin) => `${plugin} hat einen Wert geliefert, den dieses Feld nicht haben kann.`,
    open: 'Zeigen',
    close: 'Schließen',
    gone: 'Diese Seite gibt es nicht',
    goneWhy: 'Das Plugin wurde entfernt oder ausgeschaltet, oder es hat diese Seite nicht mehr.',
    toPlugins: 'Plugins dieser Welt',
    failed: 'Die Plugins dieser Welt ließen sich nicht laden: Der Dienst antwortet nicht.',
    retry: 'Noch einmal versuchen',
  },
);
