import { type CliContext, writeLine } from '../context.ts';
import { styled } from '../terminal.ts';

/** `line` and `column` count from 1; `path` is relative to the plugin's folder. */
export interface Problem {
  severity: 'error' | 'warning';
  path: string;
  line: number;
  column: number;
  message: string;
}

export const problem = (path: string, message: string): Problem => ({
  severity: 'error',
  path,
  line: 1,
  column: 1,
  message,
});

export const hasErrors = (problems: readonly Problem[]): boolean =>
  problems.some(({ severity }) => severity === 'error');

export function printProblems(context: CliContext, problems: readonly Problem[]): void {
  for (const { severity, path, line, column, message } of problems) {
    const place = styled(context, 'bold', `${path}:${line}:${column}:`);
    const word = severity === 'warning' ? `${styled(context, 'yellow', 'warning:')} ` : '';
    writeLine(context, `${place} ${word}${message}`);
  }
}
