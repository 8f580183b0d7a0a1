import type { BuildOptions, BuildResult, Message } from 'esbuild';
import { type Problem, problem } from './problems.ts';
import { loadTool } from './tools.ts';

type Bundled =
  | { ok: true; result: BuildResult<{ write: false; metafile: true }> }
  | { ok: false; problems: Problem[] };

/** Bundles sources of a plugin in memory; faults in them are problems with their places. */
export async function bundle(folder: string, options: BuildOptions): Promise<Bundled> {
  const { build } = loadTool(folder, 'esbuild');
  try {
    const result = await build({
      ...options,
      absWorkingDir: folder,
      bundle: true,
      format: 'esm',
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    return { ok: true, result };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { ok: false, problems: error.errors.map(problemOf) };
  }
}

const isFailure = (error: unknown): error is { errors: Message[] } =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors);

function problemOf({ text, location }: Message): Problem {
  if (location === null) return problem('src', text);
  const { file, line, column } = location;
  return { severity: 'error', path: file, line, column: column + 1, message: text };
}
