import type { JsonMap } from '../../text/json.ts';
import { moveAnchors } from './anchors.ts';
import { type Change, insertLines, type Strategy } from './change.ts';
import { changeRoot } from './diff.ts';
import type { EditedYaml } from './read-back.ts';
import { mapLines } from './render.ts';
import { applySplices } from './splice.ts';
import { detectStyle } from './style.ts';
import type { YamlNode } from './tree.ts';

/** From the smallest reach to the largest; the caller takes the first result that reads back right. */
const STRATEGIES: readonly Strategy[] = [
  { fine: true, blockScalars: true, removeGap: false },
  { fine: true, blockScalars: false, removeGap: false },
  { fine: true, blockScalars: false, removeGap: true },
  { fine: false, blockScalars: false, removeGap: false },
  { fine: false, blockScalars: false, removeGap: true },
];

/** YAML texts whose root map holds `next`, each with as few changes as its strategy allows. */
export function* editYaml(
  yaml: string,
  root: YamlNode | undefined,
  newline: string,
  next: JsonMap,
  after: Readonly<Record<string, string>>,
): Generator<EditedYaml> {
  for (const strategy of STRATEGIES) {
    const edited = tryStrategy(root, next, { text: yaml, newline, after, strategy });
    if (edited !== undefined) yield edited;
  }
}

function tryStrategy(
  root: YamlNode | undefined,
  next: JsonMap,
  from: Pick<Change, 'text' | 'newline' | 'after' | 'strategy'>,
): EditedYaml | undefined {
  const { text, strategy } = from;
  const style = { ...detectStyle(text, root), blockScalars: strategy.blockScalars };
  const change: Change = { ...from, style, splices: [], touched: new Set(), gone: new Set() };
  if (root === undefined) {
    insertLines(change, text.length, mapLines(next, 0, style));
  } else {
    if (root.kind !== 'map') return undefined;
    changeRoot(change, root, next);
    if (text.includes('&')) moveAnchors(change, root);
  }
  const yaml = applySplices(text, change.splices);
  return yaml === undefined ? undefined : { yaml, splices: change.splices };
}
