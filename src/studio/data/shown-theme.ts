import { useSyncExternalStore } from 'react';
import { useAppearance } from './appearance.ts';

const dark = matchMedia('(prefers-color-scheme: dark)');

function subscribe(listener: () => void): () => void {
  dark.addEventListener('change', listener);
  return () => dark.removeEventListener('change', listener);
}

/** The theme on the screen, with the choice of the system where the user leaves it to that. */
export function useShownTheme(): 'light' | 'dark' {
  const { theme } = useAppearance();
  const isDark = useSyncExternalStore(subscribe, () => dark.matches);
  if (theme !== 'system') return theme;
  return isDark ? 'dark' : 'light';
}
