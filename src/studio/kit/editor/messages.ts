/** The words of the editor, in the language of its user. */
export interface EditorMessages {
  /** Read by screen readers after the name. */
  description: string;
  missingEntity(id: string): string;
  makeEntity(name: string): string;
  uploading(fileName: string): string;
  missingPicture(path: string): string;
  openPicture: string;
  done: string;
  unlinkedNames(count: number): string;
  linkOne(name: string): string;
  linkAll: string;
  skip: string;
  close: string;
  find: string;
  /** The place that is selected, from 1, or 0. */
  found(place: number, count: number): string;
  next: string;
  previous: string;
  replaceWith: string;
  replace: string;
  replaceAll: string;
  /** By the words of the editor's library; `$` is a number. */
  findPhrases: Readonly<
    Record<'current match' | 'on line' | 'replaced match on line $' | 'replaced $ matches', string>
  >;
}
