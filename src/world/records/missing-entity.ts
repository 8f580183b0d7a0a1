import { notFound } from '../../kit/errors.ts';

export const NO_SUCH_ENTITY = 'no_such_entity';

export const missingEntity = (entityType: string, entityId: string) =>
  notFound(`There is no ${entityType} '${entityId}'`, { code: NO_SUCH_ENTITY });
