export { requireKey } from './present-rules.ts';
export { rulesModule } from './rules.module.ts';
