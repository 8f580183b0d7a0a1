import { defineTexts } from '../../../kit/i18n/texts.ts';

export const problemTexts = defineTexts(
  {
    unreadable: 'The layout of this form cannot be read, so the fields are as the template has them.',
    why: 'What is wrong with it',
  },
  {
    unreadable:
      'Die Anordnung dieses Formulars ist nicht lesbar; die Felder stehen so, wie die Vorlage sie hat.',
    why: 'Was daran falsch ist',
  },
);
