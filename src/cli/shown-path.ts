import { isAbsolute, join, relative } from 'node:path';
import type { CliContext } from './context.ts';

/** A path below `root`, in a form that an editor opened in the working folder finds. */
export function shownPath(context: CliContext, root: string, path: string): string {
  const absolute = join(root, path);
  const near = relative(context.cwd, absolute);
  return near.startsWith('..') || isAbsolute(near) ? absolute : near;
}
