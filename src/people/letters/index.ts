export { lettersModule } from './letters.module.ts';
export { addLetter, type Letters } from './letters.service.ts';
