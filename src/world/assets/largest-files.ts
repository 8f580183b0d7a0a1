const MB = 1024 * 1024;

/** Largest file held in memory for a conversion, and largest picture read in place (bytes). */
export const LARGEST = { held: 64 * MB, inPlace: 512 * MB } as const;
