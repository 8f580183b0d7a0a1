import { PERMISSIONS, roleAllows, strongest } from '../../access/plans.ts';
import { callerOf } from '../../kit/principal.ts';
import { type Route, route } from '../../kit/route.ts';
import type { AnswerChat } from './answer-chat.ts';
import { chat } from './chat.contract.ts';

export const chatRoutes = (answer: AnswerChat): Route[] => [
  route(chat, (request) => {
    const role = strongest(callerOf(request));
    const may = (needed: keyof typeof PERMISSIONS) => roleAllows(role, PERMISSIONS[needed]);
    return answer(request, { mayUseAi: may('use_ai'), mayPropose: may('edit_entities') });
  }),
];
