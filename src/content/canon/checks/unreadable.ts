import { type Check, finding, shown } from '../finding.ts';

export const unreadableDates: Check = (entity) =>
  entity.unreadable.map(({ path, value, reason }) =>
    finding(
      'unreadable_date',
      'info',
      `'${shown(value)}' in ${entity.name} cannot be read as a date: ${reason}`,
      [{ entity, path, value }],
    ),
  );
