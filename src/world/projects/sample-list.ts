/** Lists the files of the sample world, in the format of `sha256sum`. It shows which content nobody has written, so it moves along. */
export const SAMPLE_LIST = '.canonry/sample';
