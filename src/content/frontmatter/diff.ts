import { deepEqual, isMap, type JsonMap } from '../../text/json.ts';
import { type Change, removeNode, type Slot, splice } from './change.ts';
import { editMap } from './map-edit.ts';
import { renderFlow } from './render.ts';
import { replaceValue } from './replace.ts';
import { editSeq } from './seq-edit.ts';
import type { MapNode } from './tree.ts';

export function changeRoot(change: Change, root: MapNode, next: JsonMap): void {
  if (editMap(change, root, next, true, changeSlot)) return;
  removeNode(change, root);
  splice(change, root.contentStart, root.end, renderFlow(next, change.style));
}

function changeSlot(change: Change, slot: Slot, next: unknown): void {
  if (deepEqual(slot.value.value, next)) return;
  if (!change.strategy.fine || !changeInside(change, slot, next)) replaceValue(change, slot, next);
}

function changeInside(change: Change, { value }: Slot, next: unknown): boolean {
  if (value.kind === 'map' && isMap(next)) return editMap(change, value, next, false, changeSlot);
  return value.kind === 'seq' && Array.isArray(next) && editSeq(change, value, next, changeSlot);
}
