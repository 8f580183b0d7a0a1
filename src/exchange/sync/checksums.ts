const PREFIX = 'sha256:';

/** Drops the `sha256:` prefix. */
export const digitsOf = (checksum: string): string =>
  checksum.startsWith(PREFIX) ? checksum.slice(PREFIX.length) : checksum;

export const checksumText = (digits: string): string => `${PREFIX}${digits}`;
