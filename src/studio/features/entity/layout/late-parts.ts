import { late } from '../../../kit/ui/late.tsx';

// Where no layout is saved, nobody needs them.

const load = () => import('./parts.ts');

export const Block = late(async () => (await load()).Block);
export const LayoutProblem = late(async () => (await load()).LayoutProblem);
