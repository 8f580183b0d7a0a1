const PREFIX = 'sha256:';

/** The digits of a checksum alone. */
export const digitsOf = (checksum: string): string =>
  checksum.startsWith(PREFIX) ? checksum.slice(PREFIX.length) : checksum;

export const checksumText = (digits: string): string => `${PREFIX}${digits}`;
