/** Text of anyone that every database can keep: NUL and halves of surrogate pairs become the replacement character. */
export const storable = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();
