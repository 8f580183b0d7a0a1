/**
 * Lists the files of the sample world, as `sha256sum` does, where a new content folder was filled with it. It tells what of
 * the content is nobody's work, so it goes wherever the content goes.
 */
export const SAMPLE_LIST = '.canonry/sample';
