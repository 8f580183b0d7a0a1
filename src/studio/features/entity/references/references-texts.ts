import { plural, shownNumber } from '../../../kit/i18n/format.ts';
import { defineTexts } from '../../../kit/i18n/texts.ts';

const things = (count: number) =>
  `${shownNumber(count)} ${plural(count, { one: 'entry', other: 'entries' })}`;

export const referencesTexts = defineTexts(
  {
    missing: 'Leads nowhere',
    missingOne: (id: string) => `“${id}” does not exist`,
    ambiguousOne: (id: string) => `“${id}” could mean more than one entry`,
    meant: 'Meant may be',
    in: 'Who refers to it',
    out: 'What it refers to',
    nobody: 'Nothing refers to it yet.',
    nothing: 'It refers to nothing yet.',
    cut: (shown: number, total: number) =>
      `The first ${shownNumber(shown)} of ${shownNumber(total)} references are shown.`,
    more: (count: number) => `Show ${shownNumber(count)} more`,
    failed: 'The references could not be loaded',
    around: (name: string) => `Around ${name}`,
    aroundMore: (count: number) => `and ${things(count)} more, in the lists`,
  },
  {
    missing: 'Führt ins Leere',
    missingOne: (id) => `„${id}“ gibt es nicht`,
    ambiguousOne: (id) => `„${id}“ kann mehr als einen Eintrag meinen`,
    meant: 'Gemeint ist vielleicht',
    in: 'Wer darauf verweist',
    out: 'Worauf es verweist',
    nobody: 'Noch verweist nichts darauf.',
    nothing: 'Noch verweist es auf nichts.',
    cut: (shown, total) =>
      `Die ersten ${shownNumber(shown)} von ${shownNumber(total)} Verweisen sind zu sehen.`,
    more: (count) => `${shownNumber(count)} weitere zeigen`,
    failed: 'Die Verweise ließen sich nicht laden',
    around: (name) => `Rund um ${name}`,
    aroundMore: (count) =>
      `und ${shownNumber(count)} ${plural(count, { one: 'weiterer Eintrag', other: 'weitere Einträge' })}, in den Listen`,
  },
);
