import { defineTexts } from '../../kit/i18n/texts.ts';

export const pluginTabTexts = defineTexts(
  {
    gone: 'There is no such tab',
    goneWhy: 'The plugin was removed or disabled, or it has nothing to show here.',
  },
  {
    gone: 'Diesen Reiter gibt es nicht',
    goneWhy: 'Das Plugin wurde entfernt oder ausgeschaltet, oder es hat hier nichts zu zeigen.',
  },
);
