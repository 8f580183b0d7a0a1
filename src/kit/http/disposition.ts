/** `Content-Disposition` with any name. */
export function dispositionOf(way: 'inline' | 'attachment', name: string): string {
  const quoted = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16)}`,
  );
  return `${way}; filename*=UTF-8''${quoted}`;
}
