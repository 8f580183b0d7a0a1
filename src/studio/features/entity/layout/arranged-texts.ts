import { plural, shownNumber } from '../../../kit/i18n/format.ts';
import { defineTexts } from '../../../kit/i18n/texts.ts';

export const arrangedTexts = defineTexts(
  {
    unplaced: 'More fields',
    hidden: (count: number) =>
      plural(count, { one: '1 hidden field', other: `${shownNumber(count)} hidden fields` }),
  },
  {
    unplaced: 'Weitere Felder',
    hidden: (count) =>
      plural(count, { one: '1 verborgenes Feld', other: `${shownNumber(count)} verborgene Felder` }),
  },
);
