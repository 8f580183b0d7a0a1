import { useEffect, useMemo } from 'react';
import { appearanceNow, chooseAppearance } from '../data/appearance.ts';
import { type Command, commandsNow, useCommands } from '../data/commands.ts';
import type { EntityAddress } from '../data/entity.ts';
import { peekAt } from '../data/peek.ts';
import { useWorld } from '../data/world.tsx';
import { addressOf, placeOf, type WorldPage } from '../domain/places.ts';
import { listenForHotkeys } from '../kit/hotkeys/hotkeys.ts';
import { useTexts } from '../kit/i18n/texts.ts';
import { goTo } from '../kit/router/router.ts';
import { appTexts } from './app-texts.ts';
import { keyboardHelp } from './keyboard-help-state.ts';
import { makeHere } from './make-here.ts';
import { openPalette } from './palette/palette-state.ts';

/** The commands that work on every page of a world, and the keyboard that runs all commands. */
export function AppCommands() {
  const texts = useTexts(appTexts);
  const world = useWorld();
  const commands = useMemo(() => appCommands(texts, world), [texts, world]);
  useCommands(commands);
  useEffect(() => listenForHotkeys(hotkeysNow, () => appearanceNow().letter_keys), []);
  return null;
}

const hotkeysNow = () =>
  commandsNow().flatMap(({ keys, ...rest }) => (keys === undefined ? [] : [{ keys, ...rest }]));

function appCommands(
  texts: (typeof appTexts)['en'],
  { project, types, can }: ReturnType<typeof useWorld>,
): Command[] {
  const page = (name: WorldPage, title: string, keys?: string): Command => ({
    id: name,
    title,
    group: 'go',
    ...(keys !== undefined && { keys }),
    run: () => goTo(addressOf({ screen: 'page', project, page: name })),
  });
  const makes = types.map(
    ({ type, label }): Command => ({
      id: `new-${type}`,
      title: texts.make(label),
      group: 'make',
      run: () => goTo(addressOf({ screen: 'new', project, type })),
    }),
  );
  const arranges = types.map(
    ({ type, plural }): Command => ({
      id: `layout-${type}`,
      title: texts.arrange(plural),
      group: 'app',
      run: () => goTo(addressOf({ screen: 'layout', project, type })),
    }),
  );
  const make: Command = {
    id: 'make',
    title: texts.makeShort,
    keys: 'c',
    group: 'make',
    run: () => makeHere(project, texts.makeShort),
  };
  return [
    { id: 'palette', title: texts.openPalette, keys: 'Ctrl+K', group: 'app', run: () => openPalette() },
    {
      id: 'home',
      title: texts.home,
      keys: 'g h',
      group: 'go',
      run: () => goTo(addressOf({ screen: 'home', project })),
    },
    {
      id: 'peek',
      title: texts.peek,
      keys: 'Space',
      group: 'go',
      isMeant: () => focusedEntity() !== null,
      run: () => {
        const entity = focusedEntity();
        if (entity) peekAt(entity);
      },
    },
    page('findings', texts.findings, 'g f'),
    page('conflicts', texts.conflicts, 'g c'),
    page('recycle-bin', texts.recycleBin),
    page('import', texts.import),
    page('plugins', texts.plugins),
    { id: 'worlds', title: texts.worlds, group: 'go', run: () => goTo(addressOf({ screen: 'worlds' })) },
    { id: 'theme', title: texts.toggleTheme, group: 'app', run: toggleTheme },
    {
      id: 'keyboard',
      title: texts.showKeyboard,
      keys: 'Ctrl+/',
      group: 'app',
      run: () => keyboardHelp.set(true),
    },
    ...(can('create_entities') ? [make, ...makes] : []),
    ...(can('manage_templates') ? arranges : []),
  ];
}

/** The entity to which the link in focus leads, but for the one of this page. */
function focusedEntity(): EntityAddress | null {
  const link = document.activeElement;
  if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) return null;
  const place = link.pathname === location.pathname ? null : placeOf(link.pathname, '');
  return place?.screen === 'entity' ? place : null;
}

function toggleTheme(): void {
  const { theme } = appearanceNow();
  const isDark =
    theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  chooseAppearance({ theme: isDark ? 'light' : 'dark' });
}
