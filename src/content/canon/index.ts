export * from './calendar/index.ts';
export { checksOf } from './checks/index.ts';
export * from './finding.ts';
export { type CanonEntity, keyOf } from './model.ts';
export * from './settings.ts';
export * from './spans/index.ts';
export { createWorld, type World } from './world.ts';
