const WIDTH = 220;

/** A failure as it is told: title, and why. */
export const describeFailure = ({ title, cause }) => `\nFAIL ${title}\n${cause.replace(/^/gm, '     ')}`;

/** Every failure in full, then one line for each: what is read is often the end alone. */
export function failureLines(failures) {
  if (failures.length === 0) return [];
  const lines = failures.map(({ title, cause }) => `FAIL ${title}: ${beginningOf(cause)}`);
  return [...failures.map(describeFailure), '', ...lines];
}

/** The last line of a run. */
export function summaryLine({ passed, failures, skipped }) {
  return `${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

const beginningOf = (cause) =>
  cause
    .replace(/\n +at [^\n]*/g, '')
    .replace(/\s+/g, ' ')
    .slice(0, WIDTH);
