/** Breaks are kept apart, so that texts with other line ends compare equal. */
export interface Lines {
  lines: string[];
  /** Empty after the last line of a text without a final break. */
  breaks: string[];
  /** The break of new lines. */
  newline: string;
  endsWithBreak: boolean;
}

export function linesOf(text: string): Lines {
  const lines: string[] = [];
  const breaks: string[] = [];
  let start = 0;
  while (start < text.length) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed;
    const isCrLf = text.charCodeAt(feed - 1) === 13;
    lines.push(text.slice(start, isCrLf ? end - 1 : end));
    breaks.push(feed < 0 ? '' : isCrLf ? '\r\n' : '\n');
    start = feed < 0 ? text.length : feed + 1;
  }
  return { lines, breaks, newline: breaks[0] || '\n', endsWithBreak: text.endsWith('\n') };
}
