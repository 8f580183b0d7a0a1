import { deepEqual } from '../../text/json.ts';
import { type Change, insertLines, removeNode, type Slot, splice } from './change.ts';
import { flowInsertion, removeFlowParts } from './flow-edit.ts';
import { removeBlockParts } from './remove.ts';
import { itemLines, renderFlow } from './render.ts';
import { columnOf, nextLine } from './text.ts';
import type { SeqItem, SeqNode } from './tree.ts';

type EditSlot = (change: Change, slot: Slot, next: unknown) => void;

/** Only the items that differ. False, with nothing decided, if the list must be rewritten. */
export function editSeq(
  change: Change,
  node: SeqNode,
  next: readonly unknown[],
  editSlot: EditSlot,
): boolean {
  const { items } = node;
  if (items.length === 0 || next.length === 0) return false;
  const head = commonStart(items, next);
  const tail = commonEnd(items, next, head);
  const missing = missingItems(items.slice(head, items.length - tail), next.slice(head, next.length - tail));
  if (missing !== undefined) {
    removeItems(change, node, missing);
    change.touched.add(node);
    return true;
  }
  const changed = Math.min(items.length, next.length) - head - tail;
  const removed = items.slice(head + changed, items.length - tail);
  const added = next.slice(head + changed, next.length - tail);
  removeItems(change, node, removed);
  for (let index = head; index < head + changed; index++) {
    const item = items[index];
    if (item) editSlot(change, slotOf(change, node, item), next[index]);
  }
  if (removed.length + added.length > 0) change.touched.add(node);
  if (added.length > 0) insertItems(change, node, head + changed, added);
  return true;
}

function commonStart(items: readonly SeqItem[], next: readonly unknown[]): number {
  let count = 0;
  while (count < items.length && count < next.length && deepEqual(items[count]?.value.value, next[count]))
    count++;
  return count;
}

function commonEnd(items: readonly SeqItem[], next: readonly unknown[], head: number): number {
  const most = Math.min(items.length, next.length) - head;
  let count = 0;
  while (count < most && deepEqual(items.at(-1 - count)?.value.value, next.at(-1 - count))) count++;
  return count;
}

/** Undefined unless some items go and the others stay as they are, so that each keeps its comment. */
function missingItems(items: readonly SeqItem[], next: readonly unknown[]): SeqItem[] | undefined {
  if (next.length >= items.length) return undefined;
  let kept = 0;
  const missing = items.filter((item) => {
    const isKept = kept < next.length && deepEqual(item.value.value, next[kept]);
    if (isKept) kept += 1;
    return !isKept;
  });
  return kept === next.length ? missing : undefined;
}

function slotOf(change: Change, node: SeqNode, item: SeqItem): Slot {
  const column = node.flow ? 0 : columnOf(change.text, item.start);
  return { parent: 'seq', flow: node.flow, column, after: item.start + 1, entry: item, value: item.value };
}

function removeItems(change: Change, node: SeqNode, removed: readonly SeqItem[]): void {
  const gone = new Set(removed);
  for (const item of removed) removeNode(change, item.value);
  const parts = node.items.map((item) => ({
    start: item.start,
    end: item.value.end,
    removed: gone.has(item),
  }));
  if (node.flow) removeFlowParts(change, parts);
  else removeBlockParts(change, parts);
}

function insertItems(change: Change, node: SeqNode, index: number, added: readonly unknown[]): void {
  const { style, text } = change;
  const before = node.items[index - 1];
  const at = node.items[index]?.start ?? node.end;
  if (node.flow) {
    const texts = added.map((item) => renderFlow(item, style));
    if (before) splice(change, before.value.end, before.value.end, flowInsertion(texts));
    else splice(change, at, at, texts.map((item) => `${item}, `).join(''));
    return;
  }
  const column = columnOf(text, node.items[0]?.start ?? node.start);
  const lines = added.flatMap((item) => itemLines(item, column, style));
  if (before) insertLines(change, nextLine(text, before.value.end), lines);
  else
    splice(
      change,
      at,
      at,
      `${lines.join(change.newline).slice(column)}${change.newline}${' '.repeat(column)}`,
    );
}
