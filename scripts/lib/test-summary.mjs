const WIDTH = 220;

export const describeFailure = ({ title, cause }) => `\nFAIL ${title}\n${cause.replace(/^/gm, '     ')}`;

/** In full, then one line each, since often only the end is read. */
export function failureLines(failures) {
  if (failures.length === 0) return [];
  const lines = failures.map(({ title, cause }) => `FAIL ${title}: ${beginningOf(cause)}`);
  return [...failures.map(describeFailure), '', ...lines];
}

export function summaryLine({ passed, failures, skipped }) {
  return `${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

const beginningOf = (cause) =>
  cause
    .replace(/\n +at [^\n]*/g, '')
    .replace(/\s+/g, ' ')
    .slice(0, WIDTH);
