import { arrangedFormOf } from '../../../domain/arranged-form.ts';
import type { Arrangement } from '../form/form-types.ts';
import { ArrangedGroup } from './arranged-group.tsx';

export const BY_LAYOUT: Arrangement = { groupsOf: arrangedFormOf, Group: ArrangedGroup };
