const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  // Making one takes longer than a hundred uses of it.
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  formats.set(timeZone, format);
  return format;
}

/** `YYYY-MM-DD` in a time zone. */
export const dayIn = (timeZone: string, atMs: number): string => formatOf(timeZone).format(atMs);

/** The zone's IANA name as it is usually written; null if there is none. */
export function knownTimeZone(name: string): string | null {
  // Offsets such as +02:00 are no names: they know no summer time.
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
