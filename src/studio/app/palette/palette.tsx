import { useEffect } from 'react';
import { useAllCommands } from '../../data/commands.ts';
import { useStore } from '../../data/store.ts';
import { useNames } from '../../data/use-names.ts';
import { useWorld } from '../../data/world.tsx';
import { useTexts } from '../../kit/i18n/texts.ts';
import { CommandPalette } from '../../kit/ui/command-palette.tsx';
import { appTexts } from '../app-texts.ts';
import { sectionsFor } from './palette-sections.ts';
import { closePalette, giveKeysBack, openPalette, paletteText } from './palette-state.ts';
import { paletteTexts } from './palette-texts.ts';

/** Goes to anything by its name and does anything by its title. */
export function Palette() {
  const texts = useTexts(appTexts);
  const words = useTexts(paletteTexts);
  const world = useWorld();
  const names = useNames(world.project);
  const commands = useAllCommands();
  const text = useStore(paletteText);
  const typed = text ?? '';
  const isOpen = text !== null;
  useEffect(giveKeysBack, []);
  return (
    <CommandPalette
      label={texts.openPalette}
      placeholder={texts.goOrDo}
      isOpen={isOpen}
      onClose={closePalette}
      text={typed}
      onType={openPalette}
      sections={isOpen ? sectionsFor(typed, { texts, words, world, names, commands }) : []}
      empty={words.nothingFound(typed)}
    />
  );
}
