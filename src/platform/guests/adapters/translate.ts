import { $init, generate } from '@bytecodealliance/jco-transpile/component';
import type { GuestExport } from '../guests.ts';
import { boundComponent } from './component/bound-component.ts';
import { RefusedComponent } from './component/bytes.ts';
import { importsOf } from './component/imports.ts';
import type { PreparedGuest } from './prepared.ts';

const MOST_BYTES = 16 * 1024 * 1024;
/** Of the world, SpiderMonkey's have 500 kB. */
const MOST_GLUE_BYTES = 4 * 1024 * 1024;
const OURS = /^canonry:plugin\/(metadata|hooks|routes)@1\.0\.0$/;

/** Checks a component and makes a program of it that any JavaScript engine runs. Throws `RefusedComponent`. */
export async function translate(component: Uint8Array): Promise<PreparedGuest> {
  if (component.length > MOST_BYTES)
    throw new RefusedComponent(`The component is larger than ${MOST_BYTES / 1024 / 1024} MiB`);
  const bounded = boundComponent(component);
  const imports = importsOf(bounded);
  await $init;
  const { files, exports } = generated(bounded);
  const isModule = (name: string) => name.endsWith('.wasm');
  const glue = files.find(([name]) => !isModule(name) && name.endsWith('.js'))?.[1];
  if (!glue || glue.length > MOST_GLUE_BYTES)
    throw new RefusedComponent('The component has too many functions between its parts');
  return {
    exports: exportsAmong(exports.map(([name]) => name)),
    imports,
    glue: asScript(new TextDecoder().decode(glue)),
    modules: files.filter(([name]) => isModule(name)),
  };
}

function generated(component: Uint8Array) {
  try {
    return generate(component, {
      name: 'guest',
      noTypescript: true,
      noNodejsCompat: true,
      base64Cutoff: 0,
      instantiation: { tag: 'sync' },
    });
  } catch (error) {
    throw new RefusedComponent(`The component is not valid: ${String(error).slice(0, 500)}`);
  }
}

function exportsAmong(names: readonly string[]): GuestExport[] {
  const exports = names.flatMap((name) => {
    const own = OURS.exec(name)?.[1];
    return own ? [own as GuestExport] : [];
  });
  if (exports.includes('metadata')) return exports;
  throw new RefusedComponent(
    'The component does not export canonry:plugin/metadata@1.0.0, as each guest must',
  );
}

/** A program whose value is the function `instantiate`. */
function asScript(module: string): string {
  const script = module
    .replace(/^export function instantiate\b/m, 'function instantiate')
    .replace(/^export const _util = \{\s*\};?\s*$/m, '');
  if (/^(?:export|import)\b/m.test(script))
    throw new Error('the translation has parts that this version does not know');
  return `'use strict';\n${script}\ninstantiate;`;
}
