import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** With the output that the page shows. */
export interface ShownCommand {
  command: string;
  output: string;
}

const HEREDOC = /<<'(\w+)'$/m;

/** True if more lines follow: the command ends with a backslash, or a here-document is open. */
function isOpen(command: string): boolean {
  if (command.endsWith('\\')) return true;
  const end = HEREDOC.exec(command)?.[1];
  return end !== undefined && !command.split('\n').slice(1).includes(end);
}

/** From all `console` blocks, in order. */
export function shownCommands(markdown: string): ShownCommand[] {
  const blocks = [...markdown.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map((block) => block[1] ?? '');
  return blocks.flatMap((block) => {
    const commands: ShownCommand[] = [];
    for (const line of block.trimEnd().split('\n')) {
      const last = commands.at(-1);
      if (last !== undefined && isOpen(last.command)) last.command += `\n${line}`;
      else if (line.startsWith('$ ')) commands.push({ command: line.slice(2), output: '' });
      else if (last !== undefined) last.output += `${line}\n`;
    }
    return commands;
  });
}

const MARK = '\u001e';

/** In one shell, as pasted; resolves to what each command printed. */
export async function runSession(
  commands: readonly string[],
  { cwd, env, before }: { cwd: string; env: Record<string, string>; before: string },
): Promise<string[]> {
  const script = [before, ...commands.map((command) => `printf '${MARK}'\n${command}`)].join('\n');
  const shell = spawn('bash', ['-s'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  shell.stdin.end(script);
  return (await text(shell.stdout)).split(MARK).slice(1);
}
