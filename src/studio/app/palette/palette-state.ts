import { createStore } from '../../data/store.ts';

/** The text in the palette's input; null while it is closed. */
export const paletteText = createStore<string | null>(null);

let takesKeys = true;

/** Its code has loaded, so that its own input takes the keys, or could not be loaded: the page has them again. */
export function giveKeysBack(): void {
  takesKeys = false;
  window.removeEventListener('keydown', takeKey, true);
}

export function openPalette(text = ''): void {
  const isOpening = paletteText.get() === null;
  paletteText.set(text);
  if (isOpening && takesKeys) window.addEventListener('keydown', takeKey, true);
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
