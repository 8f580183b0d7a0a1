interface TypedText {
  /** Null once nothing is awaited any more: the page has the keys again. */
  get(): string | null;
  set(text: string | null): void;
}

/** Collects the keys typed before the input for them has loaded, until the returned function is called. The page gets none of them. */
export function typeAhead(typed: TypedText): () => void {
  const take = (event: KeyboardEvent) => {
    const text = typed.get();
    if (text === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') typed.set(null);
    else if (event.key === 'Backspace') typed.set(text.slice(0, -1));
    else if (event.key.length === 1) typed.set(text + event.key);
    else if (event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('keydown', take, true);
  return () => window.removeEventListener('keydown', take, true);
}
