import { defineTexts, type Language, numbers } from '../../../kit/texts.ts';

const signed = (language: Language) => numbers(language, { signDisplay: 'exceptZero' });
const [en, de] = [numbers('en'), numbers('de')];

export const texts = defineTexts(
  {
    words: (count: number): string => (count === 1 ? 'word' : 'words'),
    characters: 'characters',
    reading: 'to read',
    minutes: (count: number) => (count < 1 ? 'under 1 min' : `${en(Math.round(count))} min`),
    inFields: (count: number) => `${en(count)} of the words are in fields.`,
    sinceMorning: (change: number) => `${signed('en')(change)} words today`,
    entryGoal: 'Goal of this entry',
    dailyGoal: 'Daily goal, all entries',
    reached: (words: number, goal: number) => `${en(words)} of ${en(goal)} words`,
    goals: 'Goals',
    entryGoalField: 'Words of this entry',
    dailyGoalField: 'My words a day',
    none: 'none',
    chart: 'Words added in the last 14 days',
    day: 'Day',
    own: 'This entry',
    all: 'All entries',
    empty: 'Nothing is written here yet. The count begins with the first word.',
    unsaved: 'Goals and days are kept once the entry is saved.',
    notAllowed: 'This plugin may not read entries. An admin can allow it on the page of plugins.',
    notKept: (why: string) => `This could not be kept: ${why}`,
    notLoaded: (why: string) => `Goals and earlier days could not be loaded: ${why}`,
  },
  {
    words: (count) => (count === 1 ? 'Wort' : 'Wörter'),
    characters: 'Zeichen',
    reading: 'Lesezeit',
    minutes: (count) => (count < 1 ? 'unter 1 min' : `${de(Math.round(count))} min`),
    inFields: (count) => `${de(count)} der Wörter stehen in Feldern.`,
    sinceMorning: (change) => `${signed('de')(change)} Wörter heute`,
    entryGoal: 'Ziel dieses Eintrags',
    dailyGoal: 'Tagesziel, alle Einträge',
    reached: (words, goal) => `${de(words)} von ${de(goal)} Wörtern`,
    goals: 'Ziele',
    entryGoalField: 'Wörter dieses Eintrags',
    dailyGoalField: 'Meine Wörter am Tag',
    none: 'keines',
    chart: 'In den letzten 14 Tagen dazugekommene Wörter',
    day: 'Tag',
    own: 'Dieser Eintrag',
    all: 'Alle Einträge',
    empty: 'Hier steht noch nichts. Gezählt wird vom ersten Wort an.',
    unsaved: 'Ziele und Tage werden behalten, sobald der Eintrag gespeichert ist.',
    notAllowed:
      'Dieses Plugin darf keine Einträge lesen. Admins können es auf der Seite der Plugins erlauben.',
    notKept: (why) => `Das ließ sich nicht behalten: ${why}`,
    notLoaded: (why) => `Ziele und frühere Tage ließen sich nicht laden: ${why}`,
  },
);

export type Words = (typeof texts)['en'];
