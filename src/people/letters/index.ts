export { lettersModule } from './letters.module.ts';
export type { Letters } from './letters.service.ts';
