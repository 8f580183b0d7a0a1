import type { LoadedConfig, ShownVariable } from './config.ts';
import type { Variable } from './variable.ts';
import { VARIABLES } from './variables.ts';

const table = Object.values(VARIABLES) as Variable<unknown>[];

/** Every variable with its value, its origin and its meaning, for `canonry config`. Secrets are masked. */
export function describeConfig({ shown }: LoadedConfig): (ShownVariable & { description: string })[] {
  const descriptions = new Map(table.map(({ name, description }) => [name, description]));
  return shown.map((item) => ({ ...item, description: descriptions.get(item.name) ?? '' }));
}

/** The README's table of variables, between `<!-- config:start -->` and `<!-- config:end -->`. */
export function configTableMarkdown(): string {
  const head = ['variable', 'default under `npm start`', 'default under `canonry serve`', 'meaning'];
  const rows = table.map((variable) => [nameCell(variable), ...defaultCells(variable), variable.description]);
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function nameCell({ name, alias, secrecy }: Variable<unknown>): string {
  const others = [alias, secrecy === 'none' ? undefined : `${name}_FILE`].filter(
    (other) => other !== undefined,
  );
  return [name, ...others].map((each) => `\`${each}\``).join(' or ');
}

function defaultCells({ fallback }: Variable<unknown>): [start: string, serve: string] {
  if (fallback.kind === 'none') return ['none', 'none'];
  if (fallback.kind === 'generated')
    return [`generated in \`$DATA_DIR/secrets/${fallback.file}\``, 'required'];
  const cell = (text: string) => (text === '' ? 'none' : `\`${text}\``);
  return [cell(fallback.start), fallback.serve === null ? 'required' : cell(fallback.serve)];
}
