export { Block } from './block.tsx';
export { LayoutProblem } from './layout-problem.tsx';
