export { accountUsersModule } from './account-users.module.ts';
export { type AccountsContext, accountsModule } from './accounts.module.ts';
export type { AccountsService, AccountTokens } from './accounts.service.ts';
export { createSeatCheck } from './members.service.ts';
