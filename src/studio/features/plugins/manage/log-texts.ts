import { plural, shownNumber } from '../../../kit/i18n/format.ts';
import { defineTexts } from '../../../kit/i18n/texts.ts';

export const logTexts = defineTexts(
  {
    heading: 'What it did',
    refresh: 'Refresh',
    noCode:
      'It has no code that runs in the service. What its pages change is a change of whoever uses them, and stands in the history of the entry.',
    neverRan: 'Its code has not run yet.',
    ran: (count: number, ago: string) =>
      plural(count, {
        one: `Its code ran once, ${ago}.`,
        other: `Its code ran ${shownNumber(count)} times, last ${ago}.`,
      }),
    neverFailed: 'It never failed.',
    failedTimes: (count: number, ago: string) =>
      plural(count, {
        one: `It failed once, ${ago}.`,
        other: `It failed ${shownNumber(count)} times, last ${ago}.`,
      }),
    failed: 'The log could not be loaded: the service does not answer.',
    retry: 'Try again',
    calls: {
      'get-info': 'Asked who it is',
      'on-entity-save': 'Before a save',
      'on-entity-validate': 'Checks',
      'on-entity-create': 'After an entry was made',
      'on-entity-delete': 'After an entry was deleted',
      'on-project-init': 'When it began',
      'handle-request': 'Its own routes',
    },
    service: 'The service',
    count: (calls: number) => plural(calls, { one: '1 time', other: `${shownNumber(calls)} times` }),
    ofThemFailed: (failed: number) => `${shownNumber(failed)} failed`,
    times: (mean: string, slowest: string) => `${mean} on average, ${slowest} at most`,
    last: (ago: string) => `last ${ago}`,
    log: 'Log',
    logWhy:
      'The last 1,000 lines. A call that said nothing, changed nothing, sent nothing and did not fail is only counted.',
    views: 'What is shown',
    view: {
      all: 'Everything',
      did: 'What it did',
      said: 'What it said',
      warnings: 'Warnings and errors',
      failed: 'Failures',
    },
    empty: 'Nothing yet.',
    emptyView: 'Nothing of this kind.',
    kinds: { did: 'Done', refused: 'Refused', failed: 'Failed' },
    levels: { debug: 'Detail', info: 'Said', warn: 'Warning', error: 'Error' },
    took: (span: string) => `took ${span}`,
    shown: (shown: number, total: number) => `${shownNumber(shown)} of ${shownNumber(total)} lines`,
    older: 'Older lines',
  },
  {
    heading: 'Was es getan hat',
    refresh: 'Neu laden',
    noCode:
      'Es hat keinen Code, der im Dienst läuft. Was seine Seiten ändern, ändert, wer sie benutzt, und es steht im Verlauf des Eintrags.',
    neverRan: 'Sein Code lief noch nie.',
    ran: (count, ago) =>
      plural(count, {
        one: `Sein Code lief einmal, ${ago}.`,
        other: `Sein Code lief ${shownNumber(count)}-mal, zuletzt ${ago}.`,
      }),
    neverFailed: 'Er scheiterte nie.',
    failedTimes: (count, ago) =>
      plural(count, {
        one: `Er scheiterte einmal, ${ago}.`,
        other: `Er scheiterte ${shownNumber(count)}-mal, zuletzt ${ago}.`,
      }),
    failed: 'Das Protokoll ließ sich nicht laden: Der Dienst antwortet nicht.',
    retry: 'Noch einmal versuchen',
    calls: {
      'get-info': 'Gefragt, wer es ist',
      'on-entity-save': 'Vor dem Speichern',
      'on-entity-validate': 'Prüfungen',
      'on-entity-create': 'Nachdem ein Eintrag angelegt wurde',
      'on-entity-delete': 'Nachdem ein Eintrag gelöscht wurde',
      'on-project-init': 'Am Anfang',
      'handle-request': 'Eigene Routen',
    },
    service: 'Der Dienst',
    count: (calls) => `${shownNumber(calls)}-mal`,
    ofThemFailed: (failed) => `${shownNumber(failed)} gescheitert`,
    times: (mean, slowest) => `im Mittel ${mean}, höchstens ${slowest}`,
    last: (ago) => `zuletzt ${ago}`,
    log: 'Protokoll',
    logWhy:
      'Die letzten 1.000 Zeilen. Ein Aufruf, der nichts sagte, nichts änderte, nichts schickte und nicht scheiterte, wird nur gezählt.',
    views: 'Was zu sehen ist',
    view: {
      all: 'Alles',
      did: 'Was es tat',
      said: 'Was es sagte',
      warnings: 'Warnungen und Fehler',
      failed: 'Gescheitert',
    },
    empty: 'Noch nichts.',
    emptyView: 'Nichts von dieser Art.',
    kinds: { did: 'Getan', refused: 'Abgelehnt', failed: 'Gescheitert' },
    levels: { debug: 'Einzelheit', info: 'Gesagt', warn: 'Warnung', error: 'Fehler' },
    took: (span) => `dauerte ${span}`,
    shown: (shown, total) => `${shownNumber(shown)} von ${shownNumber(total)} Zeilen`,
    older: 'Ältere Zeilen',
  },
);

/** A hook as people know it; its own name where a newer service has one that this page does not know. */
export function callWords(call: string, { calls }: Pick<(typeof logTexts)['en'], 'calls'>): string {
  const known: Readonly<Record<string, string>> = calls;
  return Object.hasOwn(known, call) ? (known[call] ?? call) : call;
}
