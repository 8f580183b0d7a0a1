import { styleText } from 'node:util';
import type { CliContext } from './context.ts';

type TextStyle = 'red' | 'yellow' | 'green' | 'bold' | 'dim';

const isPlain = ({ env }: CliContext): boolean => Boolean(env.NO_COLOR) || env.TERM === 'dumb';

/** Colours text for the terminal; elsewhere, and with NO_COLOR, returns it unchanged. */
export const styled = (context: CliContext, style: TextStyle, text: string): string =>
  context.out.isTTY && !isPlain(context) ? styleText(style, text, { validateStream: false }) : text;

export interface Progress {
  show(text: string): void;
  clear(): void;
}

const BETWEEN_MS = 100;
const ERASE = '\r\u001b[K';

/** Shows progress in one line on stderr; does nothing if stderr is no terminal. */
export function createProgress(context: CliContext): Progress {
  if (!context.err.isTTY || context.env.TERM === 'dumb') return { show: () => {}, clear: () => {} };
  let shownAt = 0;
  let visible = false;
  return {
    show(text) {
      const now = Date.now();
      if (now - shownAt < BETWEEN_MS) return;
      shownAt = now;
      visible = true;
      context.err.write(`${ERASE}${text}`);
    },
    clear() {
      if (visible) context.err.write(ERASE);
      visible = false;
    },
  };
}

/** Formats rows as lines with aligned columns; the last column is not padded. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/** `1 file`, `2 files`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;
