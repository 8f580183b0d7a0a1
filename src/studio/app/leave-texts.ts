import { plural } from '../kit/i18n/format.ts';
import { defineTexts } from '../kit/i18n/texts.ts';

export const leaveTexts = defineTexts(
  {
    cancel: 'Cancel',
    leaveTitle: 'Sign out?',
    leaveUnsaved: (count: number) =>
      plural(count, {
        one: 'One entry has changes that are not saved. They stay in this browser until you sign in here again.',
        other: `${count} entries have changes that are not saved. They stay in this browser until you sign in here again.`,
      }),
    leaveFailed: 'The service does not answer, so you are still signed in.',
  },
  {
    cancel: 'Abbrechen',
    leaveTitle: 'Abmelden?',
    leaveUnsaved: (count) =>
      plural(count, {
        one: 'Ein Eintrag hat Änderungen, die nicht gespeichert sind. Sie bleiben in diesem Browser, bis du dich hier wieder anmeldest.',
        other: `${count} Einträge haben Änderungen, die nicht gespeichert sind. Sie bleiben in diesem Browser, bis du dich hier wieder anmeldest.`,
      }),
    leaveFailed: 'Der Dienst antwortet nicht, du bist also noch angemeldet.',
  },
);
