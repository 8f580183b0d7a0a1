import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { NullableText, Text } from '../../kit/schemas.ts';
import { chatShape } from '../../world/chat/chat.contract.ts';
import { local } from './desktop-projects.contract.ts';

export const listAiProviders = contract('GET /api/desktop/ai/providers', {
  ...local,
  name: 'listAiProviders',
  summary: 'What could answer in a chat',
  description: 'The model providers of this install. Without one, chats are answered from the project alone.',
  reply: Type.Object({
    providers: Type.Array(
      Type.Object({ id: Text, name: Text, local: Type.Boolean(), configured: Type.Boolean() }),
    ),
    active: { ...NullableText, description: 'The one that answers' },
  }),
  example: {
    reply: {
      providers: [{ id: 'ollama', name: 'ollama (llama3.1:8b)', local: true, configured: true }],
      active: 'ollama',
    },
  },
});

export const desktopChat = contract('POST /api/desktop/ai/chat', {
  ...local,
  ...chatShape,
  name: 'desktopChat',
});
