/** Lists the files of the sample world, in the format of `sha256sum`: content that nobody has written. */
export const SAMPLE_LIST = '.canonry/sample';

/** Holds the name of the project, so that it outlives the database. */
export const PROJECT_FILE = '.canonry/project.json';

/** No listing of the content includes these, since they are hidden; they belong to the folder all the same, and move along. */
export const PROJECT_FILES = [SAMPLE_LIST, PROJECT_FILE] as const;
