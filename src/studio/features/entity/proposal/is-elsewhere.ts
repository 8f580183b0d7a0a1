/** True while the user is at work outside of a proposal: the focus must not be taken from there. */
export function isElsewhere(): boolean {
  const at = document.activeElement;
  return at !== null && at !== document.body && at.closest('[data-proposal]') === null;
}
