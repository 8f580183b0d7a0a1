export { createFileLog, type FileLog, type FileLogOptions } from './file-log.ts';
export { createLogFiles, type LogFile, type LogFiles, type LogQuery } from './log-files.ts';
export { isLogName, LOG_NAMES, type LogName } from './log-names.ts';
