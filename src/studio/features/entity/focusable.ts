const FOCUSABLE = 'input, textarea, button, a[href], [tabindex="0"]';

/** Puts the focus into the first control within an element that takes it; false if there is none. */
export function focusWithin(element: Element | null | undefined): boolean {
  const controls = [...(element?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])];
  return controls.some((control) => {
    control.focus();
    return document.activeElement === control;
  });
}
