export { daysOfMonth, daysOfYears, isBefore, monthLength } from './days.ts';
export { type CalendarProblem, declaredCalendar } from './declare.ts';
export { type DateReader, dateReader } from './read-date.ts';
export { REAL_CALENDAR } from './real-calendar.ts';
export type * from './types.ts';
