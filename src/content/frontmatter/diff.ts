import type { Change, Slot } from './change.ts';
import { deepEqual, isMap, type JsonMap } from './json.ts';
import { editMap } from './map-edit.ts';
import { replaceValue } from './replace.ts';
import { editSeq } from './seq-edit.ts';
import type { MapNode } from './tree.ts';

/** Decides the splices that turn the root map's values into `next`. False if that cannot be done by splicing. */
export function changeRoot(change: Change, root: MapNode, next: JsonMap): boolean {
  return editMap(change, root, next, true, changeSlot);
}

function changeSlot(change: Change, slot: Slot, next: unknown): void {
  if (deepEqual(slot.value.value, next)) return;
  if (change.strategy.fine && changeInside(change, slot, next)) return;
  replaceValue(change, slot, next);
}

function changeInside(change: Change, slot: Slot, next: unknown): boolean {
  const { value } = slot;
  const kept = {
    splices: change.splices.length,
    touched: new Set(change.touched),
    gone: new Set(change.gone),
  };
  if (value.kind === 'map' && isMap(next) && editMap(change, value, next, false, changeSlot)) return true;
  if (value.kind === 'seq' && Array.isArray(next) && editSeq(change, value, next, changeSlot)) return true;
  change.splices.length = kept.splices;
  change.touched = kept.touched;
  change.gone = kept.gone;
  return false;
}
