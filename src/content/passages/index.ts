export { type Passage, passagesOf, passagesOfText } from './passages.ts';
