/** Keys as `Ctrl+K`, `Shift+F6`, `c` or `g h`; `Ctrl` is also the command key of a Mac. */
export interface Hotkey {
  keys: string;
  /** False where the key means what it means without us. */
  isMeant?(): boolean;
  run(): void;
}

const SEQUENCE_MS = 1200;
/** Places in which a letter is text, picks an option by its beginning, or would leave a question behind. */
const LETTERS_MEAN_MORE = [
  'input, textarea, select, [contenteditable="true"], [role="textbox"], [role="combobox"]',
  '[role="listbox"], [role="menu"], [aria-haspopup="listbox"]',
  '[role="dialog"], [role="alertdialog"]',
].join();

/**
 * Runs hotkeys until the returned function is called. Single letters work outside of texts, lists and dialogs alone (WCAG 2.1.4), and not at
 * all if `letters` says so.
 */
export function listenForHotkeys(hotkeys: () => readonly Hotkey[], letters: () => boolean): () => void {
  let pending = { first: '', at: 0 };
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const key = nameOf(event);
    const isPlain = !key.includes('+') && event.key.length === 1;
    if (isPlain && ((key !== 'Space' && !letters()) || meansMore(event.target))) return;
    // They move by paragraphs in texts, and open lists.
    if (key.startsWith('Alt+Arrow') && meansMore(event.target)) return;
    const sequence = event.timeStamp - pending.at < SEQUENCE_MS ? `${pending.first} ${key}` : key;
    const found = find(hotkeys(), sequence) ?? find(hotkeys(), key);
    pending = found ? { first: '', at: 0 } : { first: isPlain ? key : '', at: event.timeStamp };
    if (!found) return;
    event.preventDefault();
    found.run();
  };
  window.addEventListener('keydown', onKey);
  return () => window.removeEventListener('keydown', onKey);
}

/** The last one given is of what stands above the rest. */
const find = (hotkeys: readonly Hotkey[], keys: string): Hotkey | undefined =>
  hotkeys.findLast(
    (hotkey) => hotkey.keys.toLowerCase() === keys.toLowerCase() && hotkey.isMeant?.() !== false,
  );

function nameOf(event: KeyboardEvent): string {
  const isLetter = event.key.length === 1;
  const parts = [
    (event.ctrlKey || event.metaKey) && 'Ctrl',
    event.altKey && 'Alt',
    event.shiftKey && !(isLetter && event.key.toLowerCase() === event.key.toUpperCase()) && 'Shift',
    event.key === ' ' ? 'Space' : event.key,
  ];
  return parts.filter(Boolean).join('+');
}

const meansMore = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(LETTERS_MEAN_MORE) !== null;
