import { plural, shownNumber } from '../../kit/i18n/format.ts';
import { defineTexts } from '../../kit/i18n/texts.ts';

export const welcomeTexts = defineTexts(
  {
    title: (name: string) => `Welcome, ${name}`,
    why: 'Canonry is yours. Where do you want to begin? You can do the others later.',
    open: (name: string) => `Open “${name}”`,
    openWhy: (count: number) =>
      `It is here already, with ${shownNumber(count)} ${plural(count, { one: 'entry', other: 'entries' })}. Look around and change what you like.`,
    own: 'Begin a world of your own',
    ownWhy: 'With the usual types, or with nothing. The sample stays out of it.',
    bring: 'Bring notes',
    bringWhy:
      'Make a world for them first. Its home takes a folder or a zip, and shows what each note becomes.',
    folder: 'I have a folder of my own',
    folderWhy:
      'Canonry can work in your folder itself; nothing in it is overwritten. Where Canonry runs, stop it and start it again with the folder’s path:',
    folderCommand: 'CONTENT_DIR=~/world npm start',
    folderOnDesktop:
      'Canonry can work in your folder itself: open it in the desktop app, and it is one of your worlds.',
    skip: 'Skip this',
  },
  {
    title: (name) => `Willkommen, ${name}`,
    why: 'Canonry gehört dir. Womit möchtest du anfangen? Das andere geht auch später.',
    open: (name) => `„${name}“ öffnen`,
    openWhy: (count) =>
      `Sie ist schon da, mit ${shownNumber(count)} ${plural(count, { one: 'Eintrag', other: 'Einträgen' })}. Sieh dich um und ändere, was du magst.`,
    own: 'Eine eigene Welt anfangen',
    ownWhy: 'Mit den üblichen Typen oder mit nichts. Das Beispiel bleibt draußen.',
    bring: 'Notizen mitbringen',
    bringWhy:
      'Lege zuerst eine Welt für sie an. Ihre Übersicht nimmt einen Ordner oder ein Zip und zeigt, was aus jeder Notiz wird.',
    folder: 'Ich habe einen eigenen Ordner',
    folderWhy:
      'Canonry kann in deinem Ordner selbst arbeiten; nichts darin wird überschrieben. Halte Canonry dort an, wo es läuft, und starte es mit dem Pfad des Ordners:',
    folderCommand: 'CONTENT_DIR=~/welt npm start',
    folderOnDesktop:
      'Canonry kann in deinem Ordner selbst arbeiten: Öffne ihn in der Desktop-App, dann ist er eine deiner Welten.',
    skip: 'Überspringen',
  },
);
