/** The colours that variables have now. A variable itself may name one for each theme, which other pages could not read. */
export function computedColors(variables: readonly string[]): Record<string, string> {
  const probe = document.createElement('span');
  probe.hidden = true;
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const colors = variables.map((name) => {
    probe.style.color = `var(${name})`;
    return [name, style.color];
  });
  probe.remove();
  return Object.fromEntries(colors);
}
