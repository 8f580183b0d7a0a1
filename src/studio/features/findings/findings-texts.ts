import { plural, shownAgo, shownNumber } from '../../kit/i18n/format.ts';
import { defineTexts } from '../../kit/i18n/texts.ts';

const entries = (count: number) =>
  `${shownNumber(count)} ${plural(count, { one: 'entry', other: 'entries' })}`;
const eintraege = (count: number) =>
  `${shownNumber(count)} ${plural(count, { one: 'Eintrag', other: 'Einträge' })}`;

export const findingsTexts = defineTexts(
  {
    title: 'Findings',
    checked: (count: number, at: string) => `${entries(count)} looked at ${shownAgo(at)}`,
    notChecked: 'Nothing was looked at yet',
    checking: 'Looking through the world …',
    progress: (done: number, total: number) => `${shownNumber(done)} of ${shownNumber(total)} looked at`,
    checkNow: 'Check now',
    failed: 'The findings could not be loaded',
    tryAgain: 'Try again',
    kinds: 'Kind',
    allKinds: 'All',
    severities: 'Severity',
    anySeverity: 'Any severity',
    severityPlurals: { error: 'Errors', warning: 'Warnings', info: 'Notes' },
    accepted: 'Accepted',
    about: (name: string) => `Only what concerns ${name}`,
    aboutAll: 'Show all',
    clean: (count: number) => `${entries(count)} looked at, nothing contradicts itself`,
    cleanWhen: (at: string) =>
      `Looked through ${shownAgo(at)}. What you write is looked at again with the next check.`,
    noHits: 'Nothing fits these filters',
    noneAccepted: 'Nothing was accepted',
    noneAcceptedWhy:
      'A contradiction that is meant to be there can be accepted with a reason. It then stands here.',
    clear: 'Show everything',
    fix: 'Fix small mistakes …',
    fixTitle: 'What can be fixed for certain',
    fixWhy:
      'Values that say the right thing in the wrong form, and required fields with a default. Only these lines of the files change, and one click takes it back.',
    fixNothing: 'There is nothing whose meaning is certain. What the list shows needs a person.',
    fixDo: (count: number) =>
      `Make ${shownNumber(count)} ${plural(count, { one: 'change', other: 'changes' })}`,
    fixMore: (count: number) => `and ${shownNumber(count)} more`,
    fixFailed: 'The mistakes could not be fixed',
    fixed: (count: number) =>
      `${shownNumber(count)} ${plural(count, { one: 'entry', other: 'entries' })} changed`,
    fixedLater: 'The changes are being made. The list follows.',
    undo: 'Take back',
    undone: 'Everything is as it was',
    nothing: 'nothing',
    cancel: 'Cancel',
    close: 'Close',
    omitted: 'There is more than this list shows. Mend some of it, and the rest follows.',
    meant: 'Meant may be',
    next: 'Next finding',
    previous: 'Previous finding',
  },
  {
    title: 'Befunde',
    checked: (count, at) => `${eintraege(count)} geprüft, ${shownAgo(at)}`,
    notChecked: 'Noch nichts geprüft',
    checking: 'Die Welt wird durchgesehen …',
    progress: (done, total) => `${shownNumber(done)} von ${shownNumber(total)} geprüft`,
    checkNow: 'Jetzt prüfen',
    failed: 'Die Befunde ließen sich nicht laden',
    tryAgain: 'Noch einmal',
    kinds: 'Art',
    allKinds: 'Alle',
    severities: 'Schwere',
    anySeverity: 'Jede Schwere',
    severityPlurals: { error: 'Fehler', warning: 'Warnungen', info: 'Hinweise' },
    accepted: 'Hingenommen',
    about: (name) => `Nur was ${name} betrifft`,
    aboutAll: 'Alles zeigen',
    clean: (count) => `${eintraege(count)} geprüft, nichts widerspricht sich`,
    cleanWhen: (at) =>
      `Durchgesehen ${shownAgo(at)}. Was du schreibst, wird bei der nächsten Prüfung mitgelesen.`,
    noHits: 'Nichts passt zu diesen Filtern',
    noneAccepted: 'Nichts wurde hingenommen',
    noneAcceptedWhy:
      'Ein Widerspruch, der so gewollt ist, lässt sich mit einem Grund hinnehmen. Dann steht er hier.',
    clear: 'Alles zeigen',
    fix: 'Kleine Fehler beheben …',
    fixTitle: 'Was sich sicher beheben lässt',
    fixWhy:
      'Werte, die das Richtige in der falschen Form sagen, und Pflichtfelder mit einem Vorgabewert. Nur diese Zeilen der Dateien ändern sich, und ein Klick nimmt es zurück.',
    fixNothing: 'Nichts davon ist eindeutig. Was die Liste zeigt, braucht einen Menschen.',
    fixDo: (count) =>
      `${shownNumber(count)} ${plural(count, { one: 'Änderung', other: 'Änderungen' })} machen`,
    fixMore: (count) => `und ${shownNumber(count)} weitere`,
    fixFailed: 'Die Fehler ließen sich nicht beheben',
    fixed: (count) =>
      `${shownNumber(count)} ${plural(count, { one: 'Eintrag', other: 'Einträge' })} geändert`,
    fixedLater: 'Die Änderungen laufen. Die Liste folgt.',
    undo: 'Zurücknehmen',
    undone: 'Alles ist, wie es war',
    nothing: 'nichts',
    cancel: 'Abbrechen',
    close: 'Schließen',
    omitted: 'Es gibt mehr, als diese Liste zeigt. Behebe etwas davon, dann rückt der Rest nach.',
    meant: 'Gemeint ist vielleicht',
    next: 'Nächster Befund',
    previous: 'Voriger Befund',
  },
);
