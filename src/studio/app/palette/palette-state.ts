import { createStore } from '../../data/store.ts';
import { typeAhead } from '../../data/type-ahead.ts';

/** The text in the palette's input; null while it is closed. */
export const paletteText = createStore<string | null>(null);

let takesKeys = true;
let stop = () => {};

/** Its code has loaded, so that its own input takes the keys, or could not be loaded: the page has them again. */
export function giveKeysBack(): void {
  takesKeys = false;
  stop();
}

export function openPalette(text = ''): void {
  const isOpening = paletteText.get() === null;
  paletteText.set(text);
  if (!isOpening || !takesKeys) return;
  stop();
  stop = typeAhead(paletteText);
}

export function closePalette(): void {
  paletteText.set(null);
}
