import { plural, shownNumber } from '../../kit/i18n/format.ts';
import { defineTexts } from '../../kit/i18n/texts.ts';

export const worldsTexts = defineTexts(
  {
    title: 'Worlds',
    entities: (count: number) => `${shownNumber(count)} ${plural(count, { one: 'entry', other: 'entries' })}`,
    changed: (when: string) => `changed ${when}`,
    make: 'New world',
    away: 'Its folder cannot be read just now.',
    more: (name: string) => `More about ${name}`,
    rename: 'Rename',
    renameTitle: (name: string) => `Rename “${name}”`,
    renameHelp: 'Addresses and links stay as they are: the id is kept.',
    save: 'Rename it',
    unreachable: 'Canonry does not answer. Try again in a moment.',
    appearance: 'Appearance',
    signOut: 'Sign out',
    name: 'Name',
    nameHelp: 'You can change it later.',
    start: 'Begin with',
    starts: {
      empty: {
        label: 'Nothing',
        help: 'An empty folder. You choose its types afterwards, or write templates of your own.',
      },
      starter: { label: 'The usual types', help: 'Characters, locations, quests and thirteen more.' },
      sample: {
        label: 'The sample world',
        help: 'A small world that shows what is possible: types, people, places, a calendar and many references.',
      },
    },
    create: 'Create the world',
    cancel: 'Cancel',
    failed: 'The worlds could not be loaded',
  },
  {
    title: 'Welten',
    entities: (count) => `${shownNumber(count)} ${plural(count, { one: 'Eintrag', other: 'Einträge' })}`,
    changed: (when) => `geändert ${when}`,
    make: 'Neue Welt',
    away: 'Ihr Ordner ist gerade nicht lesbar.',
    more: (name) => `Mehr zu ${name}`,
    rename: 'Umbenennen',
    renameTitle: (name) => `„${name}“ umbenennen`,
    renameHelp: 'Adressen und Verweise bleiben, wie sie sind: Die Kennung ändert sich nicht.',
    save: 'Umbenennen',
    unreachable: 'Canonry antwortet nicht. Versuche es gleich noch einmal.',
    appearance: 'Aussehen',
    signOut: 'Abmelden',
    name: 'Name',
    nameHelp: 'Du kannst ihn später ändern.',
    start: 'Anfangen mit',
    starts: {
      empty: {
        label: 'Nichts',
        help: 'Ein leerer Ordner. Seine Typen wählst du danach, oder du schreibst eigene Vorlagen.',
      },
      starter: { label: 'Den üblichen Typen', help: 'Figuren, Orte, Quests und dreizehn weitere.' },
      sample: {
        label: 'Der Beispielwelt',
        help: 'Eine kleine Welt, die zeigt, was möglich ist: Typen, Figuren, Orte, ein Kalender und viele Verweise.',
      },
    },
    create: 'Welt anlegen',
    cancel: 'Abbrechen',
    failed: 'Die Welten ließen sich nicht laden',
  },
);
