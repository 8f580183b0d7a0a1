const MB = 1024 * 1024;

/** Of files that are held while something is made of them, and of pictures that are read from where they lie (bytes). */
export const LARGEST = { held: 64 * MB, inPlace: 512 * MB } as const;
