import type { Calendar, Month } from './types.ts';

const month = (name: string, days: number): Month => {
  const word = name.toLowerCase();
  const short = word === 'september' ? ['sept', 'sep'] : [word.slice(0, 3)];
  return { name, words: [word, ...short], days };
};

/** For worlds that declare none: Gregorian, also before its time. */
export const REAL_CALENDAR: Calendar = {
  name: 'Gregorian',
  eras: [
    {
      name: 'Anno Domini',
      words: ['anno domini', 'ad', 'common era', 'ce'],
      starts: 1,
      backwards: false,
    },
    {
      name: 'Before Christ',
      words: ['before christ', 'bc', 'before common era', 'bce'],
      starts: 1,
      backwards: true,
    },
  ],
  months: [
    month('January', 31),
    month('February', 28),
    month('March', 31),
    month('April', 30),
    month('May', 31),
    month('June', 30),
    month('July', 31),
    month('August', 31),
    month('September', 30),
    month('October', 31),
    month('November', 30),
    month('December', 31),
  ],
  leap: { every: 4, except: 100, unless: 400, month: 1, days: 1 },
  weekDays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
};
