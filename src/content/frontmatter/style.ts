import type { RenderStyle } from './render.ts';
import { columnOf } from './text.ts';
import type { YamlNode } from './tree.ts';

interface Habits {
  single: number;
  double: number;
  listIndent: number | undefined;
}

/** So that new lines look like the old ones. */
export function detectStyle(text: string, root: YamlNode | undefined): Omit<RenderStyle, 'blockScalars'> {
  const habits: Habits = { single: 0, double: 0, listIndent: undefined };
  if (root) observe(text, root, habits);
  return { quote: habits.single > habits.double ? 'single' : 'double', listIndent: habits.listIndent ?? 2 };
}

function observe(text: string, node: YamlNode, habits: Habits): void {
  if (node.kind === 'scalar') {
    if (node.style === 'single') habits.single++;
    if (node.style === 'double') habits.double++;
  } else if (node.kind === 'seq') {
    for (const item of node.items) observe(text, item.value, habits);
  } else if (node.kind === 'map') {
    for (const { start, value } of node.entries) {
      if (value.kind === 'seq' && !value.flow) {
        habits.listIndent ??= Math.max(0, columnOf(text, value.contentStart) - columnOf(text, start));
      }
      observe(text, value, habits);
    }
  }
}
