const MB = 1024 * 1024;

/**
 * Bytes of the largest file that is held in memory for a conversion, and of the largest picture that is read in place.
 */
export const LARGEST = { held: 64 * MB, inPlace: 512 * MB } as const;
