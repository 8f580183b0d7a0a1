import { createStore } from '../../data/store.ts';

/** The text in the palette's input; null while it is closed. */
export const paletteText = createStore<string | null>(null);

let isLoaded = false;

/** Its code is loaded after the first screen; from now on its own input takes the keys. */
export function paletteIsLoaded(): void {
  isLoaded = true;
  giveKeysBack();
}

/** The page has its keys again. */
export function giveKeysBack(): void {
  window.removeEventListener('keydown', takeKey, true);
}

export function openPalette(text = ''): void {
  const isOpening = paletteText.get() === null;
  paletteText.set(text);
  if (isOpening && !isLoaded) window.addEventListener('keydown', takeKey, true);
}

export function closePalette(): void {
  paletteText.set(null);
}

/**
 * Collects the keys typed before the palette's input has loaded, so that they stand in it when it appears. The page below
 * gets none of them.
 */
function takeKey(event: KeyboardEvent): void {
  const text = paletteText.get();
  if (text === null || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') closePalette();
  else if (event.key === 'Backspace') paletteText.set(text.slice(0, -1));
  else if (event.key.length === 1) paletteText.set(text + event.key);
  else if (event.key !== 'Enter') return;
  event.preventDefault();
  event.stopPropagation();
}
