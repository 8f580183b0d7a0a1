import { lazy, Suspense, useRef } from 'react';
import { useStore } from '../../data/store.ts';
import { keyboardHelp } from '../keyboard-help-state.ts';
import { paletteText } from '../palette/palette-state.ts';
import { Peek } from './peek.tsx';

const Palette = lazy(async () => ({ default: (await import('../palette/palette.tsx')).Palette }));
const KeyboardHelp = lazy(async () => ({ default: (await import('../keyboard-help.tsx')).KeyboardHelp }));

/** Everything that opens above a page, on any page: loaded when it first opens. */
export function Overlays() {
  const usesPalette = useOnce(useStore(paletteText) !== null);
  const usesHelp = useOnce(useStore(keyboardHelp));
  return (
    <>
      <Suspense>{usesPalette && <Palette />}</Suspense>
      <Suspense>{usesHelp && <KeyboardHelp />}</Suspense>
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
