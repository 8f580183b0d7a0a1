export { fixEntity } from './fix-entity.ts';
export {
  FIX_KINDS,
  type Fix,
  type Fixed,
  type FixKind,
  type KnownEntities,
  type Unfixable,
} from './types.ts';
export { nameKey } from './words.ts';
