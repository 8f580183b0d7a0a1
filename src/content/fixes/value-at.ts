import { isMap } from '../../text/json.ts';
import type { Path } from './types.ts';

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, step) => {
    if (Array.isArray(at)) return at[Number(step)];
    return isMap(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }, value);
}
