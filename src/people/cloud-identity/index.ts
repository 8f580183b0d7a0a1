export type { AccountsPort } from './accounts-port.ts';
export { cloudIdentityModule } from './cloud-identity.module.ts';
