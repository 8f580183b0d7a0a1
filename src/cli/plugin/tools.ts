import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from '../../surfaces/package-root.ts';
import { CommandError } from '../context.ts';

interface Tools {
  esbuild: typeof import('esbuild');
  'componentize-qjs': typeof import('componentize-qjs');
  'componentize-qjs/package.json': { version: string };
}

/** The plugin's own package, or the one of this checkout: the published program has neither. */
export function loadTool<Name extends keyof Tools>(folder: string, name: Name): Tools[Name] {
  for (const root of [folder, packageRoot()]) {
    const requireFrom = createRequire(join(root, 'package.json'));
    if (canResolve(requireFrom, name)) return requireFrom(name);
  }
  const [tool] = name.split('/');
  throw new CommandError(`${tool} is missing: run npm install in ${folder}, whose package.json must name it`);
}

function canResolve(requireFrom: NodeJS.Require, name: string): boolean {
  try {
    requireFrom.resolve(name);
    return true;
  } catch {
    return false;
  }
}
