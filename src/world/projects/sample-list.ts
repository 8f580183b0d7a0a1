/**
 * Lists the files of the sample world, in the format of `sha256sum`, in a content folder that was filled with it. It
 * shows which content nobody has written, so it moves with the content.
 */
export const SAMPLE_LIST = '.canonry/sample';
