import type { Layout } from '../../content/layout/index.ts';
import type { JsonSchema } from './form-field.ts';

/** The saved layout of a type, as its schema carries it: null for one that cannot be read, undefined where none is saved. */
export const layoutOf = (schema: JsonSchema | undefined) =>
  schema?.['x-form-layout'] as Layout | null | undefined;

/** The blocks that a layout places, such as `plugin:{plugin}:{panel}`. */
export const placedBlocks = (schema: JsonSchema | undefined): string[] =>
  (layoutOf(schema)?.sections ?? []).flatMap(({ items }) =>
    items.flatMap((item) => ('block' in item ? [item.block] : [])),
  );
