/** What the editor does on demand alone: it is loaded when somebody goes into a text. */
export { openFind } from './find-in-text.ts';
export { offerLinks } from './unlinked-names.ts';
