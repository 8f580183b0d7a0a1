import { Suspense, useRef } from 'react';
import { useStore } from '../../data/store.ts';
import { late } from '../../kit/ui/late.tsx';
import { keyboardHelp } from '../keyboard-help-state.ts';
import { closePalette, giveKeysBack, paletteText } from '../palette/palette-state.ts';
import { Peek } from './peek.tsx';

const Palette = late(loadPalette, { isAbove: true });
const KeyboardHelp = late(async () => (await import('../keyboard-help.tsx')).KeyboardHelp, { isAbove: true });

/** Everything that opens above a page, on any page: loaded when it first opens. */
export function Overlays() {
  const isPaletteOpen = useStore(paletteText) !== null;
  const isHelpOpen = useStore(keyboardHelp);
  const usesPalette = useOnce(isPaletteOpen);
  const usesHelp = useOnce(isHelpOpen);
  return (
    <>
      <Suspense>{usesPalette && <Palette isWanted={isPaletteOpen} onClose={closePalette} />}</Suspense>
      <Suspense>
        {usesHelp && <KeyboardHelp isWanted={isHelpOpen} onClose={() => keyboardHelp.set(false)} />}
      </Suspense>
      <Peek />
    </>
  );
}

/** True from the first time on. */
function useOnce(isNow: boolean): boolean {
  const was = useRef(false);
  was.current ||= isNow;
  return was.current;
}

async function loadPalette() {
  try {
    return (await import('../palette/palette.tsx')).Palette;
  } catch (fault) {
    giveKeysBack();
    throw fault;
  }
}
