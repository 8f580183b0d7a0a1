import { defineTexts } from '../../kit/i18n/texts.ts';

export const meTexts = defineTexts(
  {
    appearance: 'Appearance',
    theme: 'Colours',
    themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
    language: 'Language',
    textSize: 'Text size',
    letterKeys: 'Single letters run commands',
    letterKeysHelp:
      'Outside of texts: “c” makes an entry, “g h” goes home. Switch it off if keys are pressed by accident.',
    back: 'Back',
  },
  {
    appearance: 'Aussehen',
    theme: 'Farben',
    themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
    language: 'Sprache',
    textSize: 'Textgröße',
    letterKeys: 'Einzelne Buchstaben lösen Befehle aus',
    letterKeysHelp:
      'Außerhalb von Texten: „c“ legt einen Eintrag an, „g h“ führt zur Übersicht. Schalte es aus, wenn Tasten versehentlich gedrückt werden.',
    back: 'Zurück',
  },
);
