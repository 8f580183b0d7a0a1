/** `refused`: the address is none that this service may connect to. */
export type DownloadErrorCode = 'too_slow' | 'refused' | 'failed';

/** The other side gave no answer, or none to its end. The message names no address that the other code does not. */
export class DownloadError extends Error {
  readonly code: DownloadErrorCode;
  constructor(code: DownloadErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DownloadError';
    this.code = code;
  }
}
