import { plural, shownNumber } from '../../kit/i18n/format.ts';
import { defineTexts } from '../../kit/i18n/texts.ts';

export const findTexts = defineTexts(
  {
    title: 'Find',
    titleFor: (text: string) => `Find “${text}”`,
    search: 'Search names, fields and texts',
    hint: 'Words in any order; the last one may be unfinished. “In quotes” finds words side by side.',
    count: (shown: number, total: number) =>
      shown < total
        ? `The best ${shownNumber(shown)} of ${shownNumber(total)} entries`
        : `${shownNumber(total)} ${plural(total, { one: 'entry', other: 'entries' })}`,
    noHits: (text: string) => `Nothing says “${text}”`,
    near: 'Names that are near',
    make: (name: string) => `Make “${name}”`,
    deleted: 'Look among deleted ones',
    failed: 'The search did not work',
    retry: 'Search again',
  },
  {
    title: 'Suchen',
    titleFor: (text) => `„${text}“ suchen`,
    search: 'Namen, Felder und Texte durchsuchen',
    hint: 'Wörter in beliebiger Folge; das letzte darf unfertig sein. „In Anführungszeichen“ findet Wörter nebeneinander.',
    count: (shown, total) =>
      shown < total
        ? `Die besten ${shownNumber(shown)} von ${shownNumber(total)} Einträgen`
        : `${shownNumber(total)} ${plural(total, { one: 'Eintrag', other: 'Einträge' })}`,
    noHits: (text) => `Nirgends steht „${text}“`,
    near: 'Ähnliche Namen',
    make: (name) => `„${name}“ anlegen`,
    deleted: 'Unter Gelöschtem suchen',
    failed: 'Die Suche hat nicht geklappt',
    retry: 'Noch einmal suchen',
  },
);
