import { Type } from 'typebox';

export const entityType = Type.String({ maxLength: 100, description: 'Such as character' });
export const entityId = Type.String({ maxLength: 200, description: 'Such as mira_vale' });
