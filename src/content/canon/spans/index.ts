export { canonEntityOf, type ReadableEntity } from './read-entity.ts';
export { HINT_WORDS, isHint } from './roles.ts';
