import { plural, shownNumber } from '../../kit/i18n/format.ts';
import { defineTexts } from '../../kit/i18n/texts.ts';

export const recycleBinTexts = defineTexts(
  {
    title: 'Recycle bin',
    why: 'What was deleted stays here, with its pictures and versions, until it is removed for good.',
    search: 'Search by name',
    count: (shown: number, total: number) =>
      shown === total
        ? `${shownNumber(total)} deleted ${plural(total, { one: 'entry', other: 'entries' })}`
        : `${shownNumber(shown)} of ${shownNumber(total)} deleted entries`,
    deleted: (when: string) => `deleted ${when}`,
    deletedByYou: (when: string) => `deleted by you ${when}`,
    restore: 'Restore',
    restoreNamed: (name: string) => `Restore ${name}`,
    restored: (name: string) => `${name} is back.`,
    open: 'Open it',
    purge: 'Delete for good',
    purgeNamed: (name: string) => `Delete ${name} for good`,
    purgeTitle: (name: string) => `Delete “${name}” for good?`,
    purgeWhy: 'Its file, its pictures and all of its versions are removed. This cannot be taken back.',
    empty: 'Empty the bin',
    emptyTitle: (count: number) =>
      `Delete ${plural(count, { one: 'the only entry', other: `all ${shownNumber(count)} entries` })} for good?`,
    emptyWhy:
      'Everything in the bin is removed, with pictures, files and versions, also deleted assets. This cannot be taken back.',
    cancel: 'Cancel',
    more: 'Show more',
    nothingTitle: 'The bin is empty',
    nothing: 'What you delete comes here first.',
    noHits: (text: string) => `Nothing deleted is named “${text}”`,
    clear: 'Clear the search',
    failed: 'The recycle bin could not be loaded',
    unreachable: 'Canonry does not answer. Try again in a moment.',
    dismiss: 'Dismiss',
    discardedTitle: 'Discarded changes',
    discardedWhy:
      'What you discarded, or what gave way to somebody else’s version. It stays in this browser for 30 days.',
    discardedAt: (when: string) => `discarded ${when}`,
    unnamed: 'Without a name',
    look: 'Look at it',
    lookAt: (name: string) => `Look at the discarded changes to ${name}`,
    bringBack: 'Bring back',
    bringBackNamed: (name: string) => `Bring back the changes to ${name}`,
    noRoom:
      'This browser has no room to keep what you typed there meanwhile, so nothing was brought back. Save that entry first.',
    copy: 'Copy',
    copyNamed: (label: string) => `Copy ${label}`,
    copied: 'Copied',
    cleared: 'Emptied',
    close: 'Close',
  },
  {
    title: 'Papierkorb',
    why: 'Was gelöscht wurde, bleibt mit Bildern und Versionen hier, bis es endgültig entfernt wird.',
    search: 'Nach Namen suchen',
    count: (shown, total) =>
      shown === total
        ? `${shownNumber(total)} ${plural(total, { one: 'gelöschter Eintrag', other: 'gelöschte Einträge' })}`
        : `${shownNumber(shown)} von ${shownNumber(total)} gelöschten Einträgen`,
    deleted: (when) => `${when} gelöscht`,
    deletedByYou: (when) => `${when} von dir gelöscht`,
    restore: 'Wiederherstellen',
    restoreNamed: (name) => `${name} wiederherstellen`,
    restored: (name) => `${name} ist wieder da.`,
    open: 'Öffnen',
    purge: 'Endgültig löschen',
    purgeNamed: (name) => `${name} endgültig löschen`,
    purgeTitle: (name) => `„${name}“ endgültig löschen?`,
    purgeWhy: 'Datei, Bilder und alle Versionen werden entfernt. Das lässt sich nicht rückgängig machen.',
    empty: 'Papierkorb leeren',
    emptyTitle: (count) =>
      `${plural(count, { one: 'Den einzigen Eintrag', other: `Alle ${shownNumber(count)} Einträge` })} endgültig löschen?`,
    emptyWhy:
      'Alles im Papierkorb wird entfernt, mit Bildern, Dateien und Versionen, auch gelöschte Assets. Das lässt sich nicht rückgängig machen.',
    cancel: 'Abbrechen',
    more: 'Mehr zeigen',
    nothingTitle: 'Der Papierkorb ist leer',
    nothing: 'Was du löschst, kommt zuerst hierher.',
    noHits: (text) => `Nichts Gelöschtes heißt „${text}“`,
    clear: 'Suche löschen',
    failed: 'Der Papierkorb ließ sich nicht laden',
    unreachable: 'Canonry antwortet nicht. Versuche es gleich noch einmal.',
    dismiss: 'Ausblenden',
    discardedTitle: 'Verworfene Änderungen',
    discardedWhy:
      'Was du verworfen hast oder was einer anderen Fassung gewichen ist. Es bleibt 30 Tage in diesem Browser.',
    discardedAt: (when) => `${when} verworfen`,
    unnamed: 'Ohne Namen',
    look: 'Ansehen',
    lookAt: (name) => `Verworfene Änderungen an ${name} ansehen`,
    bringBack: 'Zurückholen',
    bringBackNamed: (name) => `Änderungen an ${name} zurückholen`,
    noRoom:
      'Dieser Browser hat keinen Platz, zu bewahren, was du dort inzwischen getippt hast, also wurde nichts zurückgeholt. Speichere erst jenen Eintrag.',
    copy: 'Kopieren',
    copyNamed: (label) => `${label} kopieren`,
    copied: 'Kopiert',
    cleared: 'Geleert',
    close: 'Schließen',
  },
);
