export { createEdgeModule, type EdgeOptions } from './edge.module.ts';
