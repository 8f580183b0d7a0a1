import { defineTexts, numbers } from '../../../kit/texts.ts';
import type { Problem, Trouble } from './plan.ts';

const [en, de] = [numbers('en'), numbers('de')];

const entries = (count: number): string => `${en(count)} ${count === 1 ? 'entry' : 'entries'}`;
const cells = (count: number): string => `${en(count)} ${count === 1 ? 'cell' : 'cells'}`;
const rows = (count: number): string =>
  count === 1 ? '1 row is as it was' : `${en(count)} rows are as they were`;
const eintraege = (count: number, ending = ''): string =>
  count === 1 ? '1 Eintrag' : `${de(count)} Einträge${ending}`;
const zellen = (count: number): string => (count === 1 ? '1 Zelle' : `${de(count)} Zellen`);
const zeilen = (count: number): string =>
  count === 1 ? '1 Zeile ist, wie sie war' : `${de(count)} Zeilen sind, wie sie waren`;
const were = (count: number): string => (count === 1 ? 'was' : 'were');

/** Both numbers that a comma before three digits can mean. */
const readings = (cell = '', or: string): string =>
  `${cell.trim().replace(',', '')} ${or} ${cell.trim().replace(',', '.')}`;

type Troubles = Readonly<Record<Trouble, (problem: Problem) => string>>;

const EN: Troubles = {
  unclosed_quote: () => 'a quotation mark is never closed; what follows was not read',
  no_id_column: () => 'the first line has no column “id”: it must be that of the sheet that was saved here',
  no_version_column: () => 'the first line has no column “version”, so changes by others could not be seen',
  twice_column: ({ title }) => `“${title}” is there twice; the first counts`,
  unknown_column: ({ title }) => `there is no column “${title}”; it is left out`,
  no_id: () => 'the row has no id; new entries are made in Canonry',
  twice: ({ id }) => `“${id}” is there twice; the first row counts`,
  unknown_id: ({ id }) => `there is no entry “${id}” of this type`,
  changed_meanwhile: ({ id }) => `“${id}” was changed in Canonry since the sheet was saved; save it anew`,
  no_version: ({ id }) => `“${id}” has no version`,
  too_many_cells: ({ id }) => `“${id}” has more cells than the first line`,
  no_cell_value: ({ id, title }) => `“${title}” of “${id}” cannot be edited in a cell`,
  not_a_number: ({ title, cell }) => `“${cell}” in “${title}” is no number`,
  ambiguous_number: ({ title, cell }) =>
    `“${cell}” in “${title}” can mean two numbers: write ${readings(cell, 'or')}`,
  not_a_whole_number: ({ title, cell }) => `“${cell}” in “${title}” is no whole number`,
  not_yes_or_no: ({ title, cell }) => `“${cell}” in “${title}” is neither true nor false`,
  not_an_option: ({ title, cell }) => `“${cell}” is not one of the values of “${title}”`,
  empty_name: ({ id }) => `“${id}” would have no name`,
};

const DE: Troubles = {
  unclosed_quote: () => 'ein Anführungszeichen wird nie geschlossen; was folgt, wurde nicht gelesen',
  no_id_column: () =>
    'in der ersten Zeile fehlt die Spalte „id“: Es muss die der hier gespeicherten Tabelle sein',
  no_version_column: () =>
    'in der ersten Zeile fehlt die Spalte „version“; Änderungen anderer wären nicht zu sehen',
  twice_column: ({ title }) => `„${title}“ kommt zweimal vor; die erste Spalte zählt`,
  unknown_column: ({ title }) => `eine Spalte „${title}“ gibt es nicht; sie bleibt unbeachtet`,
  no_id: () => 'die Zeile hat keine id; neue Einträge entstehen in Canonry',
  twice: ({ id }) => `„${id}“ kommt zweimal vor; die erste Zeile zählt`,
  unknown_id: ({ id }) => `einen Eintrag „${id}“ dieses Typs gibt es nicht`,
  changed_meanwhile: ({ id }) =>
    `„${id}“ wurde in Canonry geändert, seit die Tabelle gespeichert wurde; speichere sie neu`,
  no_version: ({ id }) => `„${id}“ hat keine Version`,
  too_many_cells: ({ id }) => `„${id}“ hat mehr Zellen als die erste Zeile`,
  no_cell_value: ({ id, title }) => `„${title}“ von „${id}“ lässt sich nicht in einer Zelle bearbeiten`,
  not_a_number: ({ title, cell }) => `„${cell}“ in „${title}“ ist keine Zahl`,
  ambiguous_number: ({ title, cell }) =>
    `„${cell}“ in „${title}“ kann zwei Zahlen bedeuten: Schreibe ${readings(cell, 'oder')}`,
  not_a_whole_number: ({ title, cell }) => `„${cell}“ in „${title}“ ist keine ganze Zahl`,
  not_yes_or_no: ({ title, cell }) => `„${cell}“ in „${title}“ ist weder wahr noch falsch`,
  not_an_option: ({ title, cell }) => `„${cell}“ ist keiner der Werte von „${title}“`,
  empty_name: ({ id }) => `„${id}“ hätte keinen Namen`,
};

export const texts = defineTexts(
  {
    export: '1. Save a sheet',
    import: '2. Bring it back',
    result: '3. Look, then save',
    type: 'Entries of the type',
    noTypes: 'This world has no types yet, so there is nothing to put into a sheet.',
    columns: (count: number) => `Columns (${count})`,
    save: 'Save as CSV',
    copy: 'Copy',
    hint: 'Leave the columns “id” and “version” as they are: they say which entry a row is. Rows and columns that you do not need may go.',
    file: 'The edited file',
    notUnicode: (name: string) =>
      `“${name}” is not Unicode and was read as Windows-1252. Letters that this encoding lacks may have become “?” in it: if you see wrong letters, save it as “CSV UTF-8” and open it again.`,
    paste: 'Or paste it here',
    compare: 'Show what would change',
    loading: (loaded: number, total: number) => `Reading entries: ${en(loaded)} of ${en(total)}`,
    saved: (count: number) => `${entries(count)} in the sheet.`,
    copied: 'The sheet is copied',
    notCopied: 'Your browser does not let this page copy. Save the sheet instead.',
    nothing: 'Paste or open a sheet first.',
    summary: (changed: number, of: number, same: number) =>
      `${cells(changed)} of ${entries(of)} would change; ${rows(same)}.`,
    none: (same: number) => `Nothing would change: ${rows(same)}.`,
    problems: (count: number) =>
      `${count === 1 ? '1 problem' : `${en(count)} problems`}. What is wrong stays as it is:`,
    line: (line: number) => `Line ${en(line)}:`,
    troubles: EN,
    entry: 'Entry',
    column: 'Column',
    before: 'Now',
    after: 'Then',
    empty: 'empty',
    more: (count: number) => `… and ${cells(count)} more`,
    moreProblems: (count: number) => `… and ${en(count)} more problems`,
    apply: (count: number) => `Save ${entries(count)}`,
    stop: 'Stop',
    progress: (done: number, all: number) => `${en(done)} of ${en(all)} entries saved`,
    done: (saved: number, failed: number, left: number) =>
      `${[
        `${entries(saved)} ${were(saved)} saved`,
        ...(failed > 0 ? [`${en(failed)} ${were(failed)} not`] : []),
        ...(left > 0 ? [`${en(left)} ${were(left)} left, since you stopped`] : []),
      ].join(', ')}.`,
    again: 'The versions have changed: save the sheet anew before you go on editing.',
    fault: (why: string) => `This did not work: ${why}`,
  },
  {
    export: '1. Tabelle speichern',
    import: '2. Zurückbringen',
    result: '3. Ansehen, dann speichern',
    type: 'Einträge des Typs',
    noTypes: 'Diese Welt hat noch keine Typen, also gibt es nichts für eine Tabelle.',
    columns: (count) => `Spalten (${count})`,
    save: 'Als CSV speichern',
    copy: 'Kopieren',
    hint: 'Lass die Spalten „id“ und „version“, wie sie sind: Sie sagen, welcher Eintrag eine Zeile ist. Zeilen und Spalten, die du nicht brauchst, können weg.',
    file: 'Die bearbeitete Datei',
    notUnicode: (name) =>
      `„${name}“ ist nicht Unicode und wurde als Windows-1252 gelesen. Buchstaben, die dieser Kodierung fehlen, sind darin vielleicht zu „?“ geworden: Wenn du falsche Buchstaben siehst, speichere sie als „CSV UTF-8“ und öffne sie noch einmal.`,
    paste: 'Oder hier einfügen',
    compare: 'Zeigen, was sich ändern würde',
    loading: (loaded, total) => `Einträge werden gelesen: ${de(loaded)} von ${de(total)}`,
    saved: (count) => `${eintraege(count)} in der Tabelle.`,
    copied: 'Die Tabelle ist kopiert',
    notCopied: 'Dein Browser lässt diese Seite nicht kopieren. Speichere die Tabelle stattdessen.',
    nothing: 'Füge zuerst eine Tabelle ein, oder öffne eine.',
    summary: (changed, of, same) =>
      `${zellen(changed)} in ${eintraege(of, of === 1 ? '' : 'n')} würden anders; ${zeilen(same)}.`,
    none: (same) => `Nichts würde sich ändern: ${zeilen(same)}.`,
    problems: (count) =>
      `${count === 1 ? '1 Problem' : `${de(count)} Probleme`}. Was falsch ist, bleibt, wie es ist:`,
    line: (line) => `Zeile ${de(line)}:`,
    troubles: DE,
    entry: 'Eintrag',
    column: 'Spalte',
    before: 'Jetzt',
    after: 'Dann',
    empty: 'leer',
    more: (count) => `… und ${zellen(count)} mehr`,
    moreProblems: (count) => `… und ${de(count)} weitere Probleme`,
    apply: (count) => `${eintraege(count)} speichern`,
    stop: 'Anhalten',
    progress: (done, all) => `${de(done)} von ${de(all)} Einträgen gespeichert`,
    done: (saved, failed, left) =>
      `${[
        `${eintraege(saved)} gespeichert`,
        ...(failed > 0 ? [`${de(failed)} nicht`] : []),
        ...(left > 0 ? [`${de(left)} nach dem Anhalten übrig`] : []),
      ].join(', ')}.`,
    again: 'Die Versionen haben sich geändert: Speichere die Tabelle neu, bevor du weiter bearbeitest.',
    fault: (why) => `Das ging nicht: ${why}`,
  },
);

export type Words = (typeof texts)['en'];
