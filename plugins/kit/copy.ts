/** Copies a text. The newer way is closed to pages in frames of another origin. Only within a click. */
export function copyText(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.style.cssText = 'position:fixed;inset:0 auto auto 0;opacity:0';
  const { activeElement } = document;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (activeElement instanceof HTMLElement) activeElement.focus();
  return isCopied;
}
